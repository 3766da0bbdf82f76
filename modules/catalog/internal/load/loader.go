package load

import (
	"context"
	"log/slog"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Loader implements catalogapi.Loader over PostgreSQL.
type Loader struct {
	db    *database.DB
	clock clock.Clock
	log   *slog.Logger
}

// New makes a loader. The clock says what today is, for the fund status that depends on it.
func New(db *database.DB, clk clock.Clock, log *slog.Logger) *Loader {
	return &Loader{db: db, clock: clk, log: log}
}

// LoadDocument loads one document in one transaction; see catalogapi.Loader. On any error, also one that a sequence of
// the document yields, nothing of it stays.
func (l *Loader) LoadDocument(ctx context.Context, doc catalogapi.Document, opts catalogapi.LoadOptions) (catalogapi.LoadResult, error) {
	if opts.Reject == nil {
		opts.Reject = func(catalogapi.Rejected) {}
	}
	if doc.Source == catalogapi.SourceFormD {
		return l.loadFormD(ctx, doc, opts)
	}
	if doc.Source == catalogapi.SourceADVW {
		return l.loadWithdrawals(ctx, doc, opts)
	}
	var result catalogapi.LoadResult
	err := l.exclusively(ctx, func(ctx context.Context, s *session) error {
		st := newStaging(doc, opts)
		if err := s.stage(ctx, st); err != nil {
			return err
		}
		result.RowsRead = st.rows
		if err := s.accept(ctx, st, "s_filing"); err != nil {
			return err
		}
		merged, err := s.merge(ctx, st, opts.RunID)
		if err != nil {
			return err
		}
		if merged.filingsNew+merged.filingsChanged > 0 {
			if err := s.affected(ctx); err != nil {
				return err
			}
			if _, err := s.derive(ctx, l.today()); err != nil {
				return err
			}
			if err := s.publish(ctx, opts.RunID, "ingested "+doc.Name); err != nil {
				return err
			}
			result.Published = true
		}
		counts, err := s.count(ctx, st, merged)
		if err != nil {
			return err
		}
		counts.RowsRead, counts.Published = result.RowsRead, result.Published
		result = counts
		return nil
	})
	if err != nil {
		return catalogapi.LoadResult{}, err
	}
	return result, nil
}

// RefreshDerived computes every current adviser and fund anew: what depends on today's date, and what a release with
// other rules would say otherwise. It writes only what differs.
func (l *Loader) RefreshDerived(ctx context.Context) (changed int64, err error) {
	err = l.exclusively(ctx, func(ctx context.Context, s *session) error {
		if err := s.affectAll(ctx); err != nil {
			return err
		}
		changed, err = s.derive(ctx, l.today())
		if err != nil || changed == 0 {
			return err
		}
		return s.publish(ctx, 0, "derived fields refreshed")
	})
	if err != nil {
		return 0, err
	}
	l.log.InfoContext(ctx, "derived fields refreshed", slog.Int64("changed", changed))
	return changed, nil
}

// today is the day in UTC.
func (l *Loader) today() time.Time { return l.clock.Now().UTC().Truncate(24 * time.Hour) }
