package index_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/database"
)

// null turns what a record leaves out into SQL's null.
func null[T comparable](v, absent T) any {
	if v == absent {
		return nil
	}
	return v
}

func nullList(l []string) any {
	if len(l) == 0 {
		return nil
	}
	return l
}

func nullTri(t index.Tri) any {
	if b := t.Bool(); b != nil {
		return *b
	}
	return nil
}

func copyRows(tb testing.TB, c *pgx.Conn, table pgx.Identifier, columns string, rows [][]any) {
	tb.Helper()
	n, err := c.CopyFrom(tb.Context(), table, strings.Fields(columns), pgx.CopyFromRows(rows))
	require.NoError(tb, err, table)
	require.Equal(tb, int64(len(rows)), n)
}

// seed writes the records into the catalogue's own tables, with a filing each and one publication.
func seed(tb testing.TB, db *database.DB, gps []index.GP, funds []index.Fund) {
	tb.Helper()
	filings, advisers, fundRows := make([][]any, 0, len(gps)), make([][]any, 0, len(gps)), make([][]any, 0, len(funds))
	sources := []string{"roster", "adv_archive", "fund_list"}
	for i := range gps {
		g := &gps[i]
		accession := "ADV-" + g.CRD + "-1"
		filings = append(filings, []any{accession, g.CRD, sources[i%3], "ADV", "annual", g.LatestFiledOn, g.LatestFiledOn, false, "test.csv", 1})
		advisers = append(advisers, []any{
			g.CRD, g.LegalName, null(g.BusinessName, ""), null(g.RegistrationStatus, ""), null(g.RegisteredOn, time.Time{}), null(g.City, ""),
			null(g.State, ""), null(g.Country, ""), null(g.CountryCode, ""), null(g.Website, ""), null(g.Employees, index.Unknown),
			null(g.OrgState, ""), null(g.TotalAUM, index.Unknown), null(g.PrimaryStrategy, ""), null(g.ManagerType, ""),
			null(g.FundCount, index.Unknown), null(g.TotalGAV, index.Unknown), null(g.Investors, index.Unknown), null(g.FoundedYear, index.Unknown),
			null(g.FoundedYearBasis, ""),
			g.CanonicalID, "x", g.LatestFiledOn, accession, "ADV", g.LatestFiledOn, g.LatestFiledOn,
		})
	}
	for i := range funds {
		f := &funds[i]
		fundRows = append(fundRows, []any{
			f.ID, f.FundID, f.AdviserCRD, f.Name, null(f.State, ""), null(f.Country, ""), null(f.Jurisdiction(), ""), null(f.CountryCode, ""),
			nullTri(f.Is3C1), nullTri(f.Is3C7), nullTri(f.IsMaster), nullTri(f.IsFeeder), null(f.GAV, index.Unknown), null(f.Owners, index.Unknown),
			nullTri(f.Audited), nullList(f.Auditors), f.Strategy, f.VintageYear, "first_filing", nullList(f.Exemptions), f.Status, f.FirstFiledOn,
			"ADV-" + f.AdviserCRD + "-1", "ADV", f.FirstFiledOn,
		})
	}
	require.NoError(tb, db.Conn(tb.Context(), func(c *pgx.Conn) error {
		copyRows(tb, c, pgx.Identifier{"catalog", "filings"},
			"accession crd source form_type amendment_type filing_date submitted_at funds_listed document run_id", filings)
		copyRows(tb, c, pgx.Identifier{"catalog", "advisers"}, `crd legal_name business_name registration_status registered_on city
			state country country_code website employee_count
			org_state total_aum primary_strategy manager_type
			fund_count total_gav total_investors founded_year founded_year_basis
			canonical_gp_id name_stem first_filed_on latest_accession latest_form_type latest_filed_on newest_filed_on`, advisers)
		copyRows(tb, c, pgx.Identifier{"catalog", "funds"}, `id fund_id adviser_crd name state country jurisdiction country_code
			is_3c1 is_3c7 is_master is_feeder gross_asset_value beneficial_owners_count
			annual_audit auditors strategy vintage_year vintage_source exemptions status first_filed_on
			latest_accession latest_form_type latest_filed_on`, fundRows)
		return publish(tb.Context(), c)
	}))
}

// publish announces a change as the loader does.
func publish(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `WITH p AS (INSERT INTO catalog.publications (run_id, reason) VALUES (1, 'test'))
		SELECT pg_notify($1, '')`, index.ChangeChannel)
	return err
}

// oracle adds, beside the catalogue, what SQL needs to answer searches by itself: the normalised words of every record
// and the vocabularies. Which term matches which word, and how well, is computed in SQL.
func oracle(tb testing.TB, db *database.DB, gps []index.GP, funds []index.Fund, terms []string) {
	tb.Helper()
	require.NoError(tb, db.Conn(tb.Context(), func(c *pgx.Conn) error {
		_, err := c.Exec(tb.Context(), oracleSchema)
		require.NoError(tb, err, "the oracle needs the extension fuzzystrmatch of PostgreSQL's contrib package")
		copyRows(tb, c, pgx.Identifier{"diff", "states"}, "code name", stateRows())
		copyRows(tb, c, pgx.Identifier{"diff", "countries"}, "name code", countryRows())
		w := words{seen: map[string]bool{}}
		names := map[string][]string{}
		for i := range gps {
			g := &gps[i]
			names[g.CRD] = []string{g.LegalName, g.BusinessName}
			state, _ := vocab.StateName(g.State)
			w.add("gp", crdNumber(g.CRD), []string{g.LegalName, g.BusinessName}, g.City, g.State, state, g.Country)
			w.norm(g.LegalName, g.City, g.Country, g.OrgState)
		}
		for i := range funds {
			w.add("fund", funds[i].ID, []string{funds[i].Name}, names[funds[i].AdviserCRD]...)
			w.norm(funds[i].Name, funds[i].State, funds[i].Country)
			for _, a := range funds[i].Auditors {
				w.auditor(a)
			}
		}
		copyRows(tb, c, pgx.Identifier{"diff", "words"}, "kind rec word is_name", w.words)
		copyRows(tb, c, pgx.Identifier{"diff", "names"}, "kind rec name", w.names)
		copyRows(tb, c, pgx.Identifier{"diff", "norms"}, "raw norm", w.norms)
		copyRows(tb, c, pgx.Identifier{"diff", "auditor_words"}, "name word", w.auditors)
		var rows, alike [][]any
		for _, t := range terms {
			rows = append(rows, []any{t})
			for _, w := range text.AlikeTo(t) {
				alike = append(alike, []any{t, w})
			}
		}
		copyRows(tb, c, pgx.Identifier{"diff", "alike"}, "term word", alike)
		copyRows(tb, c, pgx.Identifier{"diff", "terms"}, "term", rows)
		_, err = c.Exec(tb.Context(), oracleClasses)
		return err
	}))
}

func stateRows() (rows [][]any) {
	for _, code := range vocab.StateCodes() {
		name, _ := vocab.StateName(code)
		rows = append(rows, []any{strings.ToLower(code), text.Normalise(name)})
	}
	return rows
}

func countryRows() (rows [][]any) {
	for name, code := range vocab.CountryNames() {
		rows = append(rows, []any{name, code})
	}
	return rows
}

// words collects the rows of the oracle's tables.
type words struct {
	words, names, norms, auditors [][]any
	seen                          map[string]bool
}

func (w *words) once(key string) bool {
	first := !w.seen[key]
	w.seen[key] = true
	return first
}

func (w *words) add(kind string, rec int64, names []string, location ...string) {
	put := func(s string, isName bool) {
		for _, word := range text.NameWords(s) {
			if w.once(kind + strconv.FormatInt(rec, 10) + strconv.FormatBool(isName) + word.Word) {
				w.words = append(w.words, []any{kind, rec, word.Word, isName})
			}
		}
	}
	for _, n := range names {
		put(n, true)
		if key := text.Key(n); key != "" {
			w.names = append(w.names, []any{kind, rec, key})
		}
	}
	for _, part := range location {
		put(part, false)
	}
}

func (w *words) norm(raws ...string) {
	for _, raw := range raws {
		if raw != "" && w.once("norm "+raw) {
			w.norms = append(w.norms, []any{raw, text.Normalise(raw)})
		}
	}
}

func (w *words) auditor(name string) {
	if !w.once("auditor " + name) {
		return
	}
	for _, word := range text.Words(name) {
		w.auditors = append(w.auditors, []any{name, word})
	}
}
