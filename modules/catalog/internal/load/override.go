package load

import (
	"context"
	"fmt"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Correct applies change to the corrections of operators, and derives the advisers that change returns again, with their funds. It
// runs in the transaction of ctx, or in one of its own. The result is known from the end of that transaction on, like that of a load.
// It waits for a running load as long as the lock_timeout of ctx's transaction allows. known is the first instant at which the
// correction is known.
func (l *Loader) Correct(
	ctx context.Context, reason string, change func(ctx context.Context) (crds []string, err error),
) (known time.Time, err error) {
	err = l.db.InTx(ctx, func(ctx context.Context) error {
		if err := l.exclusively(ctx, reasonCorrection, func(ctx context.Context, s *session) error {
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
			if _, err := s.derive(ctx, clock.Today(l.clock)); err != nil {
				return err
			}
			return s.publish(ctx, 0, reason)
		}); err != nil {
			return err
		}
		const statement = "SELECT known_at FROM catalog.arrivals WHERE arrival = catalog.current_arrival()"
		instants, err := database.Values[time.Time](ctx, l.db, "read when a correction is known", statement, nil)
		if err == nil {
			known = instants[0]
		}
		return err
	})
	return known, err
}

// affect is affected.sql for some advisers and their funds.
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
