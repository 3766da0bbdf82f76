package load

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpatlas/platform/apperr"
)

// lockNotAvailable is the SQLSTATE of a lock that was not had in time.
const lockNotAvailable = "55P03"

// patience is how long a correction waits for a load that runs.
const patience = "5s"

// Correct changes what operators say of advisers, by change, and derives the advisers that change names anew, with their funds. All
// happens in the transaction of ctx, or in one of its own, and is known from its end on as what a load brings. While a load runs it
// gives up after some seconds with apperr's Unavailable.
func (l *Loader) Correct(ctx context.Context, reason string, change func(ctx context.Context) (crds []string, err error)) error {
	err := l.db.InTx(ctx, func(ctx context.Context) error {
		if err := l.db.Conn(ctx, func(c *pgx.Conn) error {
			_, err := c.Exec(ctx, "SET LOCAL lock_timeout = '"+patience+"'")
			return err
		}); err != nil {
			return err
		}
		return l.exclusively(ctx, func(ctx context.Context, s *session) error {
			if err := s.exec(ctx, "settings", "SET LOCAL lock_timeout = 0"); err != nil {
				return err
			}
			crds, err := change(ctx)
			if err != nil {
				return err
			}
			if err := s.affect(ctx, crds); err != nil {
				return err
			}
			if _, err := s.derive(ctx, l.today()); err != nil {
				return err
			}
			return s.publish(ctx, 0, reason)
		})
	})
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok && failed.Code == lockNotAvailable {
		return apperr.Unavailable("Documents are being loaded; try again when that is done").Wrap(err)
	}
	return err
}

// affect is affected for some advisers and their funds.
func (s *session) affect(ctx context.Context, crds []string) error {
	if _, err := s.c.Exec(ctx, `CREATE TEMP TABLE t_crd (crd text COLLATE "C") ON COMMIT DROP`); err != nil {
		return fmt.Errorf("catalog load: affect: %w", err)
	}
	if _, err := s.c.Exec(ctx, "INSERT INTO t_crd SELECT unnest($1::text[])", crds); err != nil {
		return fmt.Errorf("catalog load: affect: %w", err)
	}
	return s.exec(ctx, "affect", `CREATE TEMP TABLE t_fund ON COMMIT DROP AS SELECT fund_id FROM catalog.funds JOIN t_crd ON crd = adviser_crd;
		ANALYZE t_crd; ANALYZE t_fund`)
}
