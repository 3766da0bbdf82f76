package load

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/platform/stage"
)

// derive computes the current rows of the affected advisers and funds (t_crd, t_fund) by the rules of package fold, writes
// those that differ, and says how many did.
//
// Three things depend on more than one adviser's filings: the joins of Form D by name (joinNamed), the grouping into
// organizations (regroup), and the lists that no longer name an adviser. Go decides them; SQL only reads and writes. A filing's place
// among its adviser's (fold.Place) is a column of the filing, and is written with it before anything is folded.
func (s *session) derive(ctx context.Context, today time.Time) (changed int64, err error) {
	end := func() {}
	defer func() { end() }()
	var served int64
	some := func(name string, args ...string) func() error { // a statement for some advisers, not for all
		return func() error {
			if s.all {
				return nil
			}
			return s.run(ctx, name, args...)
		}
	}
	steps := []func() error{
		func() error { return s.affectOfferings(ctx) },
		some("affect_namers"), // all that ever named a fund of an affected adviser: stored histories depend on one another
		func() error {
			advisers, err := s.number(ctx, "count affected advisers", "SELECT count(*) FROM t_crd")
			end = stage.Begin(ctx, "deriving "+stage.Count(advisers, "adviser"))
			return err
		},
		func() error { return s.run(ctx, "derive_tables", writeColumns()...) },
		func() error { return s.run(ctx, "formd_issuers") },
		func() error { return s.joinNamed(ctx) },
		func() error { return s.joinOfferings(ctx) },
		func() error { return s.foldAll(ctx, today) },
		func() error { return s.formerNames(ctx) },
		func() error { return s.run(ctx, "links") },
		some("write", writeColumns()...), // the fold of all has
		func() (err error) { served, err = s.services(ctx); return err },
		func() error { return s.regroup(ctx) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return 0, err
		}
	}
	var advisersNew, fundsNew int64
	err = s.one(ctx, "count_changes", nil, &changed, &advisersNew, &fundsNew)
	if err != nil {
		return 0, fmt.Errorf("catalog load: count changes: %w", err)
	}
	if err := s.analyzeGrown(ctx, "catalog.advisers", advisersNew); err != nil {
		return 0, err
	}
	return changed + served, s.analyzeGrown(ctx, "catalog.funds", fundsNew)
}

// foldAll folds the affected advisers, and writes their records and what is kept of their histories. The first state of all goes where it stays:
// there is nothing to compare with.
func (s *session) foldAll(ctx context.Context, today time.Time) error {
	if s.all {
		return s.fill(ctx, []string{"advisers", "funds", "adviser_histories", "records"}, func() error {
			err := s.fold(ctx, today, [outs]string{
				"catalog.advisers (" + quoteList("", currentAdviser) + ")", "catalog.funds (" + quoteList("", currentFund) + ")",
				"d_former", "n_form", "catalog.adviser_histories", "catalog.records",
			})
			if err != nil {
				return err
			}
			return s.exec(ctx, "analyze", "ANALYZE catalog.advisers, catalog.funds")
		})
	}
	if err := s.fold(ctx, today, [outs]string{"n_adviser", "n_fund", "d_former", "n_form", "d_history", "d_record"}); err != nil {
		return err
	}
	if err := s.run(ctx, "keep_records"); err != nil {
		return err
	}
	return s.run(ctx, "keep_histories")
}

// joinOfferings writes which notices of Form D belong to which fund.
func (s *session) joinOfferings(ctx context.Context) error {
	if !s.all {
		err := s.run(ctx, "formd_join", "$on_conflict$",
			"ON CONFLICT (accession, fund_id) DO UPDATE SET matched_by = excluded.matched_by WHERE l.matched_by <> excluded.matched_by")
		if err != nil {
			return err
		}
		return s.exec(ctx, "note joins", "INSERT INTO b_notice SELECT accession FROM c_offering")
	}
	s.filled = true
	return s.fill(ctx, []string{"offering_funds"}, func() error {
		if err := s.run(ctx, "formd_join", "$on_conflict$", ""); err != nil {
			return err
		}
		return s.exec(ctx, "analyze", "ANALYZE catalog.offering_funds") // lists of filings join it
	})
}

// formerNames writes the keys of the former names of affected funds. The fold adds those of their versions, this function those of
// replaced editions.
func (s *session) formerNames(ctx context.Context) error {
	var out rowBuffer
	type former struct {
		FundID string `gorm:"column:fund_id"`
		Name   string `gorm:"column:name"`
	}
	err := collect(ctx, s, "former_names", func(row *former) {
		if key := derive.NameKey(row.Name); key.Name != "" {
			out.rowOf(row.FundID, key.Name)
		}
	})
	if err != nil {
		return err
	}
	if err := s.copyIn(ctx, "d_former", bytes.NewReader(out.buf)); err != nil {
		return err
	}
	return s.run(ctx, "formd_former")
}

func writeColumns() []string {
	return []string{
		"$adviser_columns$", quoteList("", adviserColumns), "$n_adviser_columns$", quoteList("n.", adviserColumns),
		"$a_adviser_columns$", quoteList("a.", adviserColumns),
		"$fund_columns$", quoteList("", fundColumns), "$n_fund_columns$", quoteList("n.", fundColumns),
		"$a_fund_columns$", quoteList("a.", fundColumns),
		"$current_adviser$", quoteList("", currentAdviser), "$current_fund$", quoteList("", currentFund),
	}
}
