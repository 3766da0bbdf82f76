package load

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/vocab"
)

// derive computes the current rows of the affected advisers and funds (t_crd, t_fund), writes those that differ, and
// says how many did.
func (s *session) derive(ctx context.Context, today time.Time) (changed int64, err error) {
	day := literal(today.Format(time.DateOnly))
	steps := []func() error{
		func() error { return s.affectOfferings(ctx) },
		func() error { return s.pick(ctx) },
		func() error { return s.deriveFunds(ctx) },
		func() error { return s.formerNames(ctx) },
		func() error {
			return s.run(ctx, "advisers", slices.Concat(adviserGroups(), []string{"$first_columns$", firstColumns(), "$today$", day})...)
		},
		func() error { return s.joinOfferings(ctx) },
		func() error {
			return s.run(ctx, "funds", "$p_columns$", quoteList("p.", filedFundColumns), "$today$", day)
		},
		func() error { return s.deriveAdvisers(ctx) },
		func() error { return s.run(ctx, "withdrawn") },
		func() error { return s.run(ctx, "unlisted", "$crds$", "t_crd") },
		func() error { return s.run(ctx, "links") },
		func() error { return s.run(ctx, "rollup", "$manager_types$", managerTypes()) },
		func() error { return s.write(ctx) },
		func() error { return s.regroup(ctx) },
		func() error { return s.keepHistories(ctx, today) },
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
	return changed, s.analyzeGrown(ctx, "catalog.funds", fundsNew)
}

// pick finds the newest version of each affected fund.
func (s *session) pick(ctx context.Context) error {
	ofAdvisers := "JOIN (SELECT crd FROM t_crd UNION SELECT v.crd FROM catalog.fund_versions v JOIN t_fund USING (fund_id)) c USING (crd)"
	ofFunds := "JOIN t_fund USING (fund_id)"
	if s.all {
		ofAdvisers, ofFunds = "", ""
	}
	return s.run(ctx, "fund_pick", "$of_advisers$", ofAdvisers, "$of_funds$", ofFunds, "$v_columns$", quoteList("v.", filedFundColumns),
		"$columns$", quoteList("", filedFundColumns), "$r_columns$", quoteList("r.", filedFundColumns),
		"$groups$", pairs(catalogapi.FundGroups), "$unasked$", unasked())
}

// joinOfferings says which notices of Form D are of which fund.
func (s *session) joinOfferings(ctx context.Context) error {
	if !s.all {
		return s.run(ctx, "formd_join", "$on_conflict$",
			"ON CONFLICT (accession, fund_id) DO UPDATE SET matched_by = excluded.matched_by WHERE l.matched_by <> excluded.matched_by")
	}
	return s.fill(ctx, "offering_funds", func() error { return s.run(ctx, "formd_join", "$on_conflict$", "") })
}

// write writes what is derived, where it differs.
func (s *session) write(ctx context.Context) error {
	if !s.all {
		return s.run(ctx, "write", writeColumns()...)
	}
	return s.fill(ctx, "advisers", func() error {
		if err := s.exec(ctx, "settings", "SET LOCAL work_mem = '256MB'"); err != nil { // all funds are sorted at once
			return err
		}
		if err := s.fill(ctx, "funds", func() error { return s.run(ctx, "write_all", writeColumns()...) }); err != nil {
			return err
		}
		return s.exec(ctx, "settings", "SET LOCAL work_mem = "+literal(workMem))
	})
}

// deriveFunds tells strategy, winding-up, country and name key of each affected fund's newest version.
func (s *session) deriveFunds(ctx context.Context) error {
	return s.compute(ctx, "d_fund", "picked_funds",
		func(row pgx.Rows) (computation, error) {
			var id, country, state string
			var f derive.Fund
			err := row.Scan(&id, &f.Type, &f.TypeOther, &f.Name, &f.FundOfFunds, &country, &state)
			return func(out *rowBuffer) {
				out.text(id)
				out.text(derive.Strategy(f))
				out.flag(derive.SaysLiquidating(f.Name))
				out.text(placeCode(country, state))
				out.fundKey(derive.NameKey(f.Name))
			}, err
		})
}

// formerNames keeps the keys of the names that affected funds bear no more.
func (s *session) formerNames(ctx context.Context) error {
	err := s.compute(ctx, "d_former", "former_names",
		func(row pgx.Rows) (computation, error) {
			var id, name string
			err := row.Scan(&id, &name)
			return func(out *rowBuffer) {
				out.text(id)
				out.text(derive.NameKey(name).Name)
			}, err
		})
	if err != nil {
		return err
	}
	return s.run(ctx, "formd_former")
}

// deriveAdvisers tells name stem, website domain and country of each affected adviser.
func (s *session) deriveAdvisers(ctx context.Context) error {
	return s.compute(ctx, "d_adviser", "filed_advisers",
		func(row pgx.Rows) (computation, error) {
			var crd, name, website, country, state string
			err := row.Scan(&crd, &name, &website, &country, &state)
			return func(out *rowBuffer) {
				out.text(crd)
				if stem := derive.NameStem(name); stem != "" {
					out.text(stem)
				} else {
					out.buf = append(out.buf, '\t') // empty, which the column allows and null it does not
				}
				out.text(derive.WebsiteDomain(website))
				out.text(placeCode(country, state))
			}, err
		})
}

// placeCode is the ISO code of a place as filed. A US state without a country is in the United States.
func placeCode(country, state string) string {
	if code, ok := vocab.CountryCode(country); ok {
		return code
	}
	if _, ok := vocab.StateCode(state); ok && country == "" {
		return "US"
	}
	return ""
}

// firstColumns renders, for each plain column of the current adviser, its newest answer within the base.
func firstColumns() string {
	plain := []string{
		"legal_name", "business_name", "phone", "website", "lei", "employee_count", "raum", "raum_discretionary",
		"raum_non_discretionary", "org_form", "fiscal_year_end", "org_state", "org_country", "advises_funds",
	}
	out := make([]string, len(plain))
	for i, c := range plain {
		out[i] = "(array_agg(b." + c + ") FILTER (WHERE b." + c + " IS NOT NULL))[1] AS " + c
	}
	return strings.Join(out, ", ")
}

// managerTypes renders vocab.ManagerType as the branches of a CASE.
func managerTypes() string {
	var b strings.Builder
	for _, strategy := range vocab.Strategies() {
		fmt.Fprintf(&b, "WHEN %s THEN %s ", literal(strategy), literal(vocab.ManagerType(strategy)))
	}
	return b.String()
}

func writeColumns() []string {
	funds := append(append([]string{}, filedFundColumns...), derivedFundColumns...)
	return []string{
		"$adviser_columns$", quoteList("", adviserColumns), "$n_adviser_columns$", quoteList("n.", adviserColumns),
		"$a_adviser_columns$", quoteList("a.", adviserColumns),
		"$fund_columns$", quoteList("", funds), "$n_fund_columns$", quoteList("n.", funds),
		"$a_fund_columns$", quoteList("a.", funds),
	}
}
