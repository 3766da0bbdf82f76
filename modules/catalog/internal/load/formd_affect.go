package load

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/derive"
)

// affectOfferings prepares the joins of Form D for derive: it keeps the funds' file numbers, finds the chains whose joins
// the affected funds (t_fund) can change, and adds to the affected ones what these chains concern besides. A load of Form D
// has done so already, from the side of the notices.
func (s *session) affectOfferings(ctx context.Context) error {
	done, err := s.has(ctx, "o_touched")
	if err != nil || done {
		return err
	}
	if s.all {
		return s.affectAllOfferings(ctx)
	}
	if err := s.keepNumbers(ctx); err != nil {
		return err
	}
	err = s.run(ctx, "formd_touched_tables")
	if err != nil {
		return err
	}
	offerings, err := s.number(ctx, "look for notices", `SELECT count(*) FROM (SELECT 1 FROM catalog.offerings LIMIT 1) o`)
	if err != nil || offerings == 0 {
		return err
	}
	if err := s.nameKeys(ctx); err != nil {
		return err
	}
	if err := s.run(ctx, "formd_touched"); err != nil {
		return err
	}
	return s.run(ctx, "formd_affected")
}

// affectAllOfferings is affectOfferings for the first state of all.
func (s *session) affectAllOfferings(ctx context.Context) error {
	err := s.fill(ctx, []string{"fund_form_d_numbers"}, func() error {
		return s.run(ctx, "formd_numbers", "$versions$", "catalog.fund_versions")
	})
	if err != nil {
		return err
	}
	return s.run(ctx, "formd_touched_all")
}

// keepNumbers keeps catalog.fund_form_d_numbers from the versions of the affected funds. New filings only add numbers to the
// funds that they name (b_fund). Restated filings, and a release with other rules, may remove some.
func (s *session) keepNumbers(ctx context.Context) error {
	added := s.loading && !s.restated
	funds := "t_fund"
	if added {
		funds = "(SELECT DISTINCT fund_id FROM b_fund) b"
	}
	versions := "(SELECT v.fund_id, v.form_d_file_numbers FROM " + funds + " JOIN catalog.fund_versions v USING (fund_id))"
	if err := s.run(ctx, "formd_numbers", "$versions$", versions); err != nil {
		return err
	}
	if added {
		return nil
	}
	return s.run(ctx, "formd_renumber")
}

// nameKeys fills t_key with the keys of the names that affected funds may have now and did not have before: any that a filing
// states. Without a document it uses the current names, because the rule of the key may have changed.
func (s *session) nameKeys(ctx context.Context) error {
	query := `SELECT DISTINCT f.name FROM t_fund JOIN catalog.funds f USING (fund_id)`
	if s.loading {
		query = `SELECT DISTINCT v.name FROM t_fund JOIN catalog.fund_versions v USING (fund_id)`
	}
	rows, err := s.c.Query(ctx, query, pgx.QueryExecModeExec)
	if err != nil {
		return fmt.Errorf("catalog load: read fund names: %w", err)
	}
	defer rows.Close()
	var out rowBuffer
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return fmt.Errorf("catalog load: read fund names: %w", err)
		}
		if key := derive.NameKey(name); key.Name != "" {
			out.begin()
			out.text(key.Name)
			out.end()
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("catalog load: read fund names: %w", err)
	}
	if err := s.copyIn(ctx, "t_key", out.reader()); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE t_key")
}

// has reports whether this transaction has a temporary table of that name.
func (s *session) has(ctx context.Context, table string) (there bool, err error) {
	err = s.c.QueryRow(ctx, `SELECT to_regclass('pg_temp.`+table+`') IS NOT NULL`, pgx.QueryExecModeSimpleProtocol).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("catalog load: look for %s: %w", table, err)
	}
	return there, nil
}
