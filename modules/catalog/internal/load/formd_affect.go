package load

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/derive"
)

// fundKey appends a name key: its name, null when it is too general, and its form, null when there is none.
func (r *rowBuffer) fundKey(k derive.FundKey) {
	r.text(k.Name)
	r.text(k.Form)
}

// affectOfferings prepares the joins of Form D for derive: it keeps the funds' file numbers, finds the chains whose joins
// the affected funds (t_fund) can change, and adds to the affected ones what these chains concern besides. A load of Form D
// has done so already, from the side of the notices.
func (s *session) affectOfferings(ctx context.Context) error {
	done, err := s.has(ctx, "o_touched")
	if err != nil || done {
		return err
	}
	fresh, err := s.has(ctx, "m_fund")
	if err != nil {
		return err
	}
	if err := s.keepNumbers(ctx, fresh); err != nil {
		return err
	}
	err = s.exec(ctx, "touched chains", `CREATE TEMP TABLE o_touched (chain text) ON COMMIT DROP;
		CREATE TEMP TABLE t_key (name_key text) ON COMMIT DROP`)
	if err != nil {
		return err
	}
	offerings, err := s.number(ctx, "look for notices", `SELECT count(*) FROM (SELECT 1 FROM catalog.offerings LIMIT 1) o`)
	if err != nil || offerings == 0 {
		return err
	}
	if err := s.nameKeys(ctx, fresh); err != nil {
		return err
	}
	if err := s.run(ctx, "formd_touched"); err != nil {
		return err
	}
	return s.run(ctx, "formd_affected")
}

// keepNumbers keeps catalog.fund_form_d_numbers: from the funds of this document when there is one (fresh), else from all
// versions of the affected funds.
func (s *session) keepNumbers(ctx context.Context, fresh bool) error {
	versions := "(SELECT v.fund_id, v.form_d_file_numbers FROM t_fund JOIN catalog.fund_versions v USING (fund_id))"
	if fresh {
		versions = "m_fund"
	}
	if err := s.run(ctx, "formd_numbers", "$versions$", versions); err != nil {
		return err
	}
	if fresh {
		restated, err := s.number(ctx, "look for restated filings", `SELECT count(*) FROM m_filing WHERE state = 'changed'`)
		if err != nil || restated == 0 {
			return err
		}
	}
	return s.run(ctx, "formd_renumber")
}

// nameKeys fills t_key with the keys of the names that affected funds may bear now and did not before: those in this
// document, and any that an earlier filing gave where one was restated. Without a document, the current names, for the rule
// of the key may have changed.
func (s *session) nameKeys(ctx context.Context, fresh bool) error {
	query := `SELECT DISTINCT f.name FROM t_fund JOIN catalog.funds f USING (fund_id)`
	if fresh {
		query = `SELECT DISTINCT m.name FROM m_fund m LEFT JOIN catalog.funds f USING (fund_id) WHERE f.name IS DISTINCT FROM m.name
			UNION SELECT v.name FROM t_fund JOIN catalog.fund_versions v USING (fund_id)
			WHERE EXISTS (SELECT 1 FROM m_filing WHERE state = 'changed')`
	}
	rows, err := s.c.Query(ctx, query, pgx.QueryExecModeExec)
	if err != nil {
		return fmt.Errorf("catalogue load: read fund names: %w", err)
	}
	defer rows.Close()
	var out rowBuffer
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return fmt.Errorf("catalogue load: read fund names: %w", err)
		}
		if key := derive.NameKey(name); key.Name != "" {
			out.begin()
			out.text(key.Name)
			out.end()
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("catalogue load: read fund names: %w", err)
	}
	if err := s.copyIn(ctx, "t_key", &feed{rows: out, err: io.EOF}); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE t_key")
}

// has says whether this transaction has a temporary table of that name.
func (s *session) has(ctx context.Context, table string) (there bool, err error) {
	err = s.c.QueryRow(ctx, `SELECT to_regclass('pg_temp.`+table+`') IS NOT NULL`, pgx.QueryExecModeSimpleProtocol).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("catalogue load: look for %s: %w", table, err)
	}
	return there, nil
}
