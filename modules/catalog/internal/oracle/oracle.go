// Package oracle judges what the loader makes of filings: it computes the current rows a second time, in plain SQL over the
// stored rows, and compares them column by column. It shares no rule with package fold but the vocabulary (packages derive
// and vocab: what a name, a place or a website says). It is for tests alone.
package oracle

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/database"
)

//go:embed sql/*.sql
var files embed.FS

// Check fails the test where the current advisers, funds, relations between advisers or places of filings in db are others than the stored
// filings come to on a day. It may be called at the end of a test, when its context is over.
func Check(tb testing.TB, db *database.DB, today time.Time) {
	tb.Helper()
	differ, err := compare(context.WithoutCancel(tb.Context()), db, today)
	require.NoError(tb, err)
	require.Empty(tb, differ)
}

var errDone = errors.New("nothing is kept")

// compare computes everything in a transaction that it rolls back.
func compare(ctx context.Context, db *database.DB, today time.Time) (differ []string, err error) {
	err = db.InTx(ctx, func(ctx context.Context) error {
		return db.Conn(ctx, func(c *pgx.Conn) error {
			j := &judge{c: c, today: today}
			if err := j.compute(ctx); err != nil {
				return err
			}
			for _, t := range []struct{ own, table string }{
				{"n_adviser", "catalog.advisers"},
				{"n_fund", "catalog.funds"},
				{"n_link", "catalog.adviser_links"},
				{"n_place", "(SELECT * FROM catalog.filings WHERE form_type IN ('ADV', 'ADV/A')) f"},
			} {
				found, err := j.differ(ctx, t.own, t.table)
				if err != nil {
					return err
				}
				differ = append(differ, found...)
			}
			return errDone
		})
	})
	if errors.Is(err, errDone) {
		err = nil
	}
	return differ, err
}

// judge computes in one transaction.
type judge struct {
	c     *pgx.Conn
	today time.Time
}

func (j *judge) compute(ctx context.Context) error {
	day := literal(j.today.Format(time.DateOnly))
	columns, err := j.shared(ctx, "funds", "fund_versions", "fund_id")
	if err != nil {
		return err
	}
	plain, err := j.shared(ctx, "advisers", "adviser_versions", "crd", "sec_number", "sec_status", "street1", "street2", "city", "state",
		"country", "postal_code", "private_residence")
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return j.run(ctx, "begin") },
		func() error { return j.run(ctx, "places") },
		func() error {
			return j.run(ctx, "fund_pick", "$v_columns$", list("v.", columns), "$columns$", list("", columns), "$r_columns$", list("r.", columns),
				"$groups$", pairs(catalogapi.FundGroups), "$unasked$", unasked())
		},
		func() error { return j.describeFunds(ctx) },
		func() error {
			return j.run(ctx, "advisers", append(adviserGroups(), "$first_columns$", firstColumns(plain), "$today$", day)...)
		},
		func() error { return j.run(ctx, "offered") },
		func() error { return j.run(ctx, "funds", "$p_columns$", list("p.", columns), "$today$", day) },
		func() error { return j.run(ctx, "corrected_funds", "$today$", day) },
		func() error { return j.describeAdvisers(ctx) },
		func() error { return j.run(ctx, "withdrawn") },
		func() error { return j.run(ctx, "unlisted", "$crds$", "t_crd") },
		func() error { return j.run(ctx, "links") },
		func() error {
			shown := strings.ReplaceAll(list("c.", plain), "c.website", "d.website")
			return j.run(ctx, "rollup", "$c_columns$", shown, "$manager_types$", managerTypes())
		},
		func() error {
			return j.run(ctx, "corrected_advisers", "$manager_types$", managerTypes(), "$today$", day)
		},
		func() error { return j.describeCorrected(ctx) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// differ compares all columns that an own table has.
func (j *judge) differ(ctx context.Context, own, table string) (rows []string, err error) {
	columns, err := j.columns(ctx, "SELECT attname FROM pg_attribute WHERE attrelid = 'pg_temp."+own+"'::regclass AND attnum > 0 ORDER BY attname")
	if err != nil {
		return nil, err
	}
	text, err := statement("differ", "$columns$", list("", columns), "$oracle$", own, "$table$", table)
	if err != nil {
		return nil, err
	}
	found, err := j.c.Query(ctx, text, pgx.QueryExecModeExec)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", table, err)
	}
	return pgx.CollectRows(found, func(row pgx.CollectableRow) (string, error) {
		var by, says string
		err := row.Scan(&by, &says)
		return table + " by the " + by + ": " + says, err
	})
}

// describeFunds writes strategy, winding-up, country and name key of each fund's newest version.
func (j *judge) describeFunds(ctx context.Context) error {
	rows, err := j.c.Query(ctx, `SELECT fund_id, coalesce(fund_type, ''), coalesce(fund_type_other, ''), name, is_fund_of_funds,
		coalesce(country, ''), coalesce(state, '') FROM n_pick`)
	if err != nil {
		return fmt.Errorf("describe funds: %w", err)
	}
	said, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) {
		var id, country, state string
		var f derive.Fund
		err := row.Scan(&id, &f.Type, &f.TypeOther, &f.Name, &f.FundOfFunds, &country, &state)
		key := derive.NameKey(f.Name)
		return []any{id, derive.Strategy(f), derive.SaysLiquidating(f.Name), catalogapi.Text(placeCode(country, state)), catalogapi.Text(key.Name), catalogapi.Text(key.Form)}, err
	})
	if err != nil {
		return fmt.Errorf("describe funds: %w", err)
	}
	return j.fill(ctx, "d_fund", []string{"fund_id", "strategy", "winding_up", "country_code", "name_key", "name_form"}, said)
}

// describeAdvisers writes name stem, website, its domain, country and state of each adviser.
func (j *judge) describeAdvisers(ctx context.Context) error {
	rows, err := j.c.Query(ctx, `SELECT crd, legal_name, coalesce(business_name, ''), website, coalesce(country, ''), coalesce(state, '')
		FROM n_filed LEFT JOIN n_office USING (crd)`)
	if err != nil {
		return fmt.Errorf("describe advisers: %w", err)
	}
	said, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) {
		var crd, name, business, country, state string
		var website *string
		err := row.Scan(&crd, &name, &business, &website, &country, &state)
		return []any{
			crd, derive.NameStem(name), derive.ShownWebsite(website, name, business), catalogapi.Text(derive.WebsiteDomain(catalogapi.TextOf(website))),
			catalogapi.Text(placeCode(country, state)), catalogapi.Text(officeState(country, state)),
		}, err
	})
	if err != nil {
		return fmt.Errorf("describe advisers: %w", err)
	}
	return j.fill(ctx, "d_adviser", []string{"crd", "name_stem", "website", "website_domain", "country_code", "state"}, said)
}

// officeState is the state of a main office: one of the US by its code, and in the US only.
func officeState(country, state string) string {
	code, ok := vocab.StateCode(state)
	switch place := placeCode(country, state); {
	case !ok || place == "":
		return state
	case place == "US":
		return code
	}
	return ""
}

// describeCorrected writes name stem and website domain of each adviser whose name or website an operator corrects.
func (j *judge) describeCorrected(ctx context.Context) error {
	rows, err := j.c.Query(ctx, `SELECT crd, legal_name, coalesce(website, ''), bool_or(field = 'website') FROM n_adviser JOIN n_correction USING (crd) GROUP BY 1, 2, 3`)
	if err != nil {
		return fmt.Errorf("describe corrected advisers: %w", err)
	}
	type corrected struct {
		crd, name, website string
		moved              bool // to another website
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c corrected, err error) {
		return c, row.Scan(&c.crd, &c.name, &c.website, &c.moved)
	})
	for i := 0; err == nil && i < len(all); i++ {
		c := &all[i]
		_, err = j.c.Exec(ctx, "UPDATE n_adviser SET name_stem = $2, website_domain = CASE WHEN $3 THEN $4 ELSE website_domain END WHERE crd = $1",
			c.crd, derive.NameStem(c.name), c.moved, catalogapi.Text(derive.WebsiteDomain(c.website)))
	}
	if err != nil {
		return fmt.Errorf("describe corrected advisers: %w", err)
	}
	return nil
}

func (j *judge) fill(ctx context.Context, table string, columns []string, rows [][]any) error {
	if _, err := j.c.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows)); err != nil {
		return fmt.Errorf("fill %s: %w", table, err)
	}
	return nil
}

func (j *judge) run(ctx context.Context, name string, params ...string) error {
	text, err := statement(name, params...)
	if err != nil {
		return err
	}
	if _, err := j.c.Exec(ctx, text); err != nil {
		return fmt.Errorf("oracle: %s: %w", name, err)
	}
	return nil
}

// shared are the columns that current rows have in common with the versions that they are made of, less some.
func (j *judge) shared(ctx context.Context, current, versions string, less ...string) ([]string, error) {
	return j.columns(ctx, "SELECT a.attname FROM pg_attribute a JOIN pg_attribute v USING (attname) WHERE a.attrelid = 'catalog."+current+
		"'::regclass AND v.attrelid = 'catalog."+versions+"'::regclass AND a.attnum > 0 AND v.attnum > 0 AND NOT a.attisdropped "+
		"AND NOT v.attisdropped AND attname NOT IN ('"+strings.Join(less, "', '")+"') ORDER BY a.attnum")
}

func (j *judge) columns(ctx context.Context, query string) ([]string, error) {
	rows, err := j.c.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("read columns: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// statement returns one of the files; its parameters are written as $name$.
func statement(name string, params ...string) (string, error) {
	text, err := files.ReadFile("sql/" + name + ".sql")
	if err != nil {
		return "", fmt.Errorf("oracle: %w", err)
	}
	order := `f.filing_date, CASE f.source WHEN 'fund_list' THEN 0 WHEN 'roster' THEN 1 WHEN 'iapd_feed' THEN 2 ELSE 3 END, f.submitted_at,
		coalesce(f.filing_id, 0), f.accession COLLATE "C"`
	fragments := strings.NewReplacer("{{oldest}}", order, "{{us_states}}", "'{"+strings.Join(slices.Sorted(maps.Keys(catalogapi.USStates)), ",")+"}'::text[]")
	return strings.NewReplacer(params...).Replace(fragments.Replace(string(text))), nil
}

// firstColumns renders, for each of these columns of the current adviser, its newest answer within the base.
func firstColumns(plain []string) string {
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

// list renders names as an SQL list, each behind a prefix.
func list(prefix string, names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = prefix + n
	}
	return strings.Join(out, ", ")
}

// literal quotes a string of ours for SQL.
func literal(v string) string { return "'" + strings.ReplaceAll(v, "'", "''") + "'" }
