package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// listen calls wake after every commit that added to the outbox, and once at the beginning, for what came before.
// It holds one connection and returns with ctx, or with the error that ended the connection.
func (s *store) listen(ctx context.Context, wake func()) error {
	return s.db.Conn(ctx, func(c *pgx.Conn) error {
		if _, err := c.Exec(ctx, "LISTEN "+channel); err != nil {
			return err
		}
		wake()
		for {
			if _, err := c.WaitForNotification(ctx); err != nil {
				return err
			}
			wake()
		}
	})
}
