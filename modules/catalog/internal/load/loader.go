package load

import (
	"context"
	"log/slog"

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

// New makes a loader. The fund status depends on today's date, which the clock provides.
func New(db *database.DB, clk clock.Clock, log *slog.Logger) *Loader {
	return &Loader{db: db, clock: clk, log: log}
}

// LoadDocument loads one document in one transaction; see catalogapi.Loader. On any error, also one that a sequence of
// the document yields, nothing of it stays.
func (l *Loader) LoadDocument(ctx context.Context, doc catalogapi.Document, opts catalogapi.LoadOptions) (catalogapi.LoadResult, error) {
	results, err := l.LoadBatch(ctx, func(ctx context.Context, load catalogapi.LoadFunc) error {
		_, err := load(ctx, l.Prepare(ctx, doc, opts))
		return err
	})
	if err != nil {
		return catalogapi.LoadResult{}, err
	}
	return results[0], nil
}

// Prepare begins to read a document; see catalogapi.Loader.
func (l *Loader) Prepare(ctx context.Context, doc catalogapi.Document, opts catalogapi.LoadOptions) catalogapi.Prepared {
	r := newReader(doc, opts)
	switch doc.Source {
	case catalogapi.SourceADVW:
		d := newWithdrawalReader(r)
		r.begin(ctx, d.read)
		return d
	case catalogapi.SourceFormD:
		d := newNoticeReader(r)
		r.begin(ctx, d.read)
		return d
	default:
		d := newFilingReader(r)
		r.begin(ctx, d.read)
		return d
	}
}

// RefreshDerived computes every current adviser and fund again: values can depend on today's date, and a release may change
// rules. It writes only rows that differ.
func (l *Loader) RefreshDerived(ctx context.Context) (changed int64, err error) {
	err = l.exclusively(ctx, reasonCalendar, func(ctx context.Context, s *session) error {
		if err := s.affectAll(ctx); err != nil {
			return err
		}
		changed, err = s.derive(ctx, clock.Today(l.clock))
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
