package index_test

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/database"
)

// row lists the columns that a record is loaded from, and its values for them: null for what it leaves out.
func row(record any) (columns []string, values []any) {
	v := reflect.ValueOf(record).Elem()
	for i := range v.NumField() {
		column, _, _ := strings.Cut(v.Type().Field(i).Tag.Get(index.ColumnTag), ",")
		value := v.Field(i).Interface()
		if t, ok := value.(index.Tri); ok {
			value = t.Bool()
		} else if n, ok := value.(int64); ok && n == index.Unknown || !ok && v.Field(i).IsZero() {
			value = nil
		}
		columns, values = append(columns, column), append(values, value)
	}
	return columns, values
}

func copyRows(tb testing.TB, c *pgx.Conn, table pgx.Identifier, columns string, rows [][]any) {
	tb.Helper()
	n, err := c.CopyFrom(tb.Context(), table, strings.Fields(columns), pgx.CopyFromRows(rows))
	require.NoError(tb, err, table)
	require.Equal(tb, int64(len(rows)), n)
}

// archived is the place of the source of complete filings: every third adviser has one.
const archived = 1

const filingColumns = "accession crd source form_type amendment_type filing_date submitted_at funds_listed document run_id"

// seed writes the records into the catalog's own tables, with a filing each and one publication.
func seed(tb testing.TB, db *database.DB, gps []index.GP, funds []index.Fund) {
	tb.Helper()
	filings, advisers, fundRows := make([][]any, 0, len(gps)), make([][]any, 0, len(gps)), make([][]any, 0, len(funds))
	var gpColumns, fundColumns string
	sources := []string{"roster", "adv_archive", "fund_list"}
	for i := range gps {
		g := &gps[i]
		accession := "ADV-" + g.CRD + "-1"
		filings = append(filings, []any{accession, g.CRD, sources[i%3], "ADV", "annual", g.LatestFiledOn, g.LatestFiledOn, false, "test.csv", 1})
		columns, values := row(g)
		gpColumns = strings.Join(columns, " ")
		advisers = append(advisers, append(values, "x", g.LatestFiledOn, accession, "ADV", g.LatestFiledOn))
	}
	for i := range funds {
		f := &funds[i]
		columns, values := row(f)
		fundColumns = strings.Join(columns, " ")
		place := any(f.Jurisdiction())
		if place == "" {
			place = nil
		}
		fundRows = append(fundRows, append(values, place, "ADV-"+f.AdviserCRD+"-1", "ADV"))
	}
	require.NoError(tb, db.Conn(tb.Context(), func(c *pgx.Conn) error {
		copyRows(tb, c, pgx.Identifier{"catalog", "filings"},
			filingColumns, filings)
		copyRows(tb, c, pgx.Identifier{"catalog", "advisers"},
			gpColumns+" name_stem first_filed_on latest_accession latest_form_type latest_filed_on", advisers)
		copyRows(tb, c, pgx.Identifier{"catalog", "funds"},
			fundColumns+" jurisdiction latest_accession latest_form_type", fundRows)
		return announce(tb.Context(), c)
	}))
}

// announce announces a change as the loader does.
func announce(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `WITH p AS (INSERT INTO catalog.publications (run_id, reason) VALUES (1, 'test'))
		SELECT pg_notify($1, '')`, publish.Channel)
	return err
}

// oracle adds, beside the catalog, what SQL needs to answer searches by itself: the normalized words of every record
// and the vocabularies. Which term matches which word, and how well, is computed in SQL.
func oracle(tb testing.TB, db *database.DB, gps []index.GP, funds []index.Fund, terms []string) {
	tb.Helper()
	require.NoError(tb, db.Conn(tb.Context(), func(c *pgx.Conn) error {
		_, err := c.Exec(tb.Context(), oracleSchema+oracleDisclosures)
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
			w.norm(g.LegalName)
			for _, f := range index.GPWordFilters {
				w.norm(*f.Of(g))
			}
		}
		for i := range funds {
			w.add("fund", funds[i].ID, []string{funds[i].Name}, names[funds[i].AdviserCRD]...)
			w.norm(funds[i].Name, funds[i].State, funds[i].Country)
			for _, f := range index.FundWordFilters {
				w.norm(*f.Of(&funds[i]))
			}
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
		_, err = c.Exec(tb.Context(), strings.ReplaceAll(oracleClasses, "{states}", stateColumns()))
		return err
	}))
}

// stateColumns selects what filters compare as states.
func stateColumns() string {
	parts := []string{"SELECT state FROM catalog.funds"}
	for _, f := range index.GPWordFilters {
		if f.As.Name == "as a state" {
			parts = append(parts, "SELECT "+f.SQL+" FROM catalog.advisers a")
		}
	}
	for _, f := range index.FundWordFilters {
		if f.As.Name == "as a state" {
			parts = append(parts, "SELECT "+f.SQL+" FROM catalog.funds f")
		}
	}
	return strings.Join(parts, " UNION ")
}

func stateRows() (rows [][]any) {
	for code := range catalogapi.USStates {
		name, _ := vocab.StateName(code)
		rows = append(rows, []any{strings.ToLower(code), text.Normalize(name)})
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
			w.norms = append(w.norms, []any{raw, text.Normalize(raw)})
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
