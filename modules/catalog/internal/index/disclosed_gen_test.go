package index_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/database"
)

// event is an event that an adviser still reports.
type event struct {
	kind string
	day  time.Time // of the first filing that reports it
}

// filedDisclosures are an adviser's answer to has_disclosure and the events that it still reports.
type filedDisclosures struct {
	disclosed index.Tri
	events    []event
}

// disclosurePages are the rows of generated disclosures.
type disclosurePages struct{ filings, versions, pages [][]any }

// families are those of disclosures, with the kind of their events as generated.
var families = map[catalogapi.DisclosureFamily]string{
	catalogapi.DisclosureCriminal: "criminal", catalogapi.DisclosureCivil: "civil", catalogapi.DisclosureRegulatory: "disciplinary regulatory",
}

// disclosures invents two complete filings with disclosure pages for the advisers that seed gives a complete filing. The second one may
// lack tables.
func disclosures(gps []index.GP) (of map[string]filedDisclosures, rows disclosurePages) {
	rng := rand.New(rand.NewPCG(47, uint64(len(gps))))
	names := []catalogapi.DisclosureFamily{catalogapi.DisclosureCriminal, catalogapi.DisclosureCivil, catalogapi.DisclosureRegulatory}
	of = map[string]filedDisclosures{}
	for i := range gps {
		if i%3 != archived {
			continue
		}
		crd, newest := gps[i].CRD, "ADV-"+gps[i].CRD+"-1"
		first, second := gps[i].LatestFiledOn.AddDate(0, -1-rng.IntN(60), 0), gps[i].LatestFiledOn
		var silent []string
		for _, family := range names {
			if rng.IntN(6) == 0 {
				silent = append(silent, catalogapi.OfPart(catalogapi.TableDisclosures, family))
			}
		}
		rows.filings = append(rows.filings, []any{"ADV-" + crd + "-0", crd, "adv_archive", "ADV", "annual", first, first, false, "test.csv", 1})
		rows.versions = append(rows.versions, []any{crd, newest, gps[i].LegalName, []byte{1}, silent})
		is := filedDisclosures{disclosed: index.No}
		if len(silent) > 0 {
			is.disclosed = index.Any
		}
		for page := range rng.IntN(5) {
			family := names[rng.IntN(len(names))]
			kind, by := families[family], any(nil)
			if family == catalogapi.DisclosureRegulatory {
				kind, by = "regulatory", "SEC"
				if rng.IntN(2) == 0 {
					kind, by = "disciplinary", "SRO"
				}
			}
			lacks := slices.Contains(silent, catalogapi.OfPart(catalogapi.TableDisclosures, family))
			before, now := rng.IntN(3) > 0, rng.IntN(3) > 0 && !lacks
			for n, accession := range []string{"ADV-" + crd + "-0", newest} {
				if []bool{before, now}[n] {
					rows.pages = append(rows.pages, []any{accession, page, crd, string(family), strconv.Itoa(page), by})
				}
			}
			if day := map[bool]time.Time{true: first, false: second}[before]; now || before && lacks {
				is.events, is.disclosed = append(is.events, event{kind, day}), index.Yes
			}
		}
		of[crd] = is
	}
	return of, rows
}

// seedDisclosures adds the generated disclosures to what seed writes.
func seedDisclosures(tb testing.TB, db *database.DB, gps []index.GP) {
	tb.Helper()
	_, rows := disclosures(gps)
	require.NoError(tb, db.Conn(tb.Context(), func(c *pgx.Conn) error {
		copyRows(tb, c, pgx.Identifier{"catalog", "filings"}, filingColumns, rows.filings)
		copyRows(tb, c, pgx.Identifier{"catalog", "adviser_versions"}, "crd accession legal_name row_hash silent", rows.versions)
		copyRows(tb, c, pgx.Identifier{"catalog", "disclosures"}, "accession seq crd family reference_id initiator_type", rows.pages)
		return nil
	}))
}

// Two tables for the comparison: the events that managers still report, and the managers whose newest complete filing states all families of
// disclosures.
const oracleDisclosures = `
CREATE TABLE diff.reported AS
	WITH filing AS (
		SELECT crd, accession, filing_date, coalesce(silent, '{}') AS silent, row_number() OVER (PARTITION BY crd ORDER BY version_order DESC) AS age
		FROM catalog.pub_filing WHERE source = 'adv_archive'
	), page AS (
		SELECT d.crd, d.family, d.reference_id, d.initiator_type, min(f.filing_date) AS first, min(f.age) AS age
		FROM catalog.disclosures d JOIN filing f USING (crd, accession) GROUP BY 1, 2, 3, 4
	)
	SELECT crd, first - DATE '1970-01-01' AS day,
		CASE family WHEN 'criminal' THEN 'criminal' WHEN 'civil_judicial' THEN 'civil' ELSE CASE initiator_type WHEN 'SRO' THEN 'disciplinary' ELSE 'regulatory' END END AS type
	FROM page p WHERE NOT EXISTS (
		SELECT FROM filing f WHERE f.crd = p.crd AND f.age < p.age AND NOT 'table:disclosures:' || p.family = ANY (f.silent)
	);
CREATE INDEX ON diff.reported (crd);
CREATE TABLE diff.answered AS
	SELECT f.crd FROM catalog.pub_filing f
	WHERE f.source = 'adv_archive' AND cardinality(array_remove(ARRAY(SELECT t FROM unnest(f.silent) t WHERE t LIKE 'table:disclosures:%'), NULL)) = 0
		AND NOT EXISTS (SELECT FROM catalog.filings g WHERE g.crd = f.crd AND g.source = 'adv_archive' AND g.filing_date > f.filing_date);`

// eventFilters are the filters of a GPQuery by disclosures.
func eventFilters() []filter[index.GPQuery] {
	kinds := []string{"disciplinary", "regulatory", "civil", "criminal"}
	return []filter[index.GPQuery]{
		{
			name: "has_disclosure", knows: func(s subject) bool { return s.reported.disclosed != index.Any },
			holds: func(_ *asker, q *index.GPQuery, s subject) { q.Disclosed = s.reported.disclosed },
			maybe: func(a *asker, q *index.GPQuery, _ subject) { q.Disclosed = pick(a.generator, index.Yes, index.No) },
			sql: func(s *statement, q *index.GPQuery) {
				switch q.Disclosed {
				case index.Yes:
					s.and("EXISTS (SELECT FROM diff.reported e WHERE e.crd = a.crd)")
				case index.No:
					s.and("a.crd IN (SELECT crd FROM diff.answered) AND NOT EXISTS (SELECT FROM diff.reported e WHERE e.crd = a.crd)")
				case index.Any:
				}
			},
		},
		{
			name: "disclosure_type", ofEvent: true, knows: func(s subject) bool { return len(s.reported.events) > 0 },
			holds: func(a *asker, q *index.GPQuery, s subject) {
				q.Event.Types = a.among(s.reported.events[0].kind, "criminal")
			},
			maybe: func(a *asker, q *index.GPQuery, _ subject) { q.Event.Types = a.some(append(kinds, "none")...) },
			sql: func(s *statement, q *index.GPQuery) {
				s.asked(index.Asked{Any: q.Event.Types}, func(kind string) string { return s.render("e.type = %s", kind) })
			},
		},
		{
			name: "disclosed_after disclosed_before", ofEvent: true, knows: func(s subject) bool { return len(s.reported.events) > 0 },
			holds: func(a *asker, q *index.GPQuery, s subject) { q.Event.Days = a.across(dayOf(s.reported.events[0].day)) },
			maybe: func(a *asker, q *index.GPQuery, _ subject) {
				q.Event.Days = a.around(dayOf(time.Date(2021+a.IntN(6), 3, 1+a.IntN(28), 0, 0, 0, 0, time.UTC)))
			},
			sql: func(s *statement, q *index.GPQuery) { s.between("e.day", q.Event.Days) },
		},
	}
}

func dayOf(t time.Time) int64 { return *index.Days(t, time.Time{}).Min }
