package load_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/testscale"
)

// of is the document as the edition of a day.
func (d document) of(edition string) document {
	before := d.without
	d.without = func(doc *catalogapi.Document) {
		if before != nil {
			before(doc)
		}
		doc.Edition = func() time.Time { return day(edition) }
	}
	return d
}

// silentOn takes fields out of a filing, as a document does that has no column for them.
func silentOn(fields ...string) func(*catalogapi.AdviserFiling) {
	return func(f *catalogapi.AdviserFiling) {
		f.Silent = fields
		for _, name := range fields {
			switch name {
			case catalogapi.FieldRAUM:
				f.RAUM = nil
			case catalogapi.FieldRAUMDiscretion:
				f.RAUMDiscretionary = nil
			case "phone":
				f.Phone = nil
			}
		}
	}
}

func discretionary(v int64) func(*catalogapi.AdviserFiling) {
	return func(f *catalogapi.AdviserFiling) { f.RAUMDiscretionary = &v }
}

func phone(v string) func(*catalogapi.AdviserFiling) {
	return func(f *catalogapi.AdviserFiling) { f.Phone = catalogapi.Text(v) }
}

// A column that is missing from a roster leaves what an earlier edition of the same filing said; one that is there and
// empty ends it. A later instant sees the value still, and so does the instant before.
func TestAMissingColumnErasesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(roster("jan.csv", rosterRow("7001", "2026-01-05", "ALDER POINT LLC", raum(9), discretionary(5), phone("1"))).of("2026-01-31"))
	cut := roster("feb.csv", rosterRow("7001", "2026-01-05", "ALDER POINT LLC", raum(9), silentOn("raum_discretionary", "phone"))).of("2026-02-28")
	require.Equal(t, catalogapi.LoadResult{RowsRead: 1, FilingsUnchanged: 1, AdvisersUnchanged: 1}, b.load(cut), "it says nothing new")
	shown := func() []string {
		return b.row(`SELECT legal_name, raum, raum_discretionary, phone FROM catalog.advisers`)
	}
	require.Equal(t, []string{"ALDER POINT LLC", "9", "5", "1"}, shown())
	require.Equal(t, []string{"0"}, b.row(`SELECT count(*) FROM catalog.replaced_versions`))

	cut = roster("mar.csv", rosterRow("7001", "2026-01-05", "ALDER POINT LP", raum(8), silentOn("raum_discretionary", "phone"))).of("2026-03-31")
	require.True(t, b.load(cut).Published)
	require.False(t, b.load(cut).Published, "a second time it changes nothing")
	require.Equal(t, []string{"ALDER POINT LP", "8", "5", "1"}, shown())
	require.Equal(t, []string{"5"}, b.row(`SELECT said->>'raum_discretionary' FROM catalog.replaced_versions`), "the edition before is kept")

	b.load(roster("apr.csv", rosterRow("7001", "2026-01-05", "ALDER POINT LP", raum(8))).of("2026-04-30"))
	require.Equal(t, []string{"ALDER POINT LP", "8", "∅", "∅"}, shown(), "a column that is empty says that there is none")
}

// An older edition that is loaded later replaces nothing that a newer one said of the same filing.
func TestAnOlderEditionReplacesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(roster("feb.csv", rosterRow("7001", "2026-01-05", "ALDER POINT LP", raum(8))).of("2026-02-28"))
	old := roster("jan.csv", rosterRow("7001", "2026-01-05", "ALDER POINT LLC", raum(9))).of("2026-01-31")
	require.Equal(t, catalogapi.LoadResult{RowsRead: 1, FilingsUnchanged: 1, AdvisersUnchanged: 1}, b.load(old))
	require.Equal(t, []string{"ALDER POINT LP", "8"}, b.row(`SELECT legal_name, raum FROM catalog.advisers`))
	// A newer edition that repeats the filing as it was makes it newer: what lies between does not come back.
	b.load(roster("apr.csv", rosterRow("7001", "2026-01-05", "ALDER POINT LP", raum(8))).of("2026-04-30"))
	b.load(roster("mar.csv", rosterRow("7001", "2026-01-05", "ALDER POINT MARCH", raum(7))).of("2026-03-31"))
	require.Equal(t, []string{"ALDER POINT LP", "8"}, b.row(`SELECT legal_name, raum FROM catalog.advisers`))
	// Without a day the one loaded last counts, as before.
	b.load(roster("x.csv", rosterRow("7001", "2026-01-05", "ALDER POINT X", raum(6))))
	require.Equal(t, []string{"ALDER POINT X", "6"}, b.row(`SELECT legal_name, raum FROM catalog.advisers`))

	fresh := archive("b.zip", filing("1", "7002", "2026-01-05", "FENWICK LP")).of("2026-02-28")
	fresh.funds = []*catalogapi.FundRow{fund("1", f1, "Fenwick I", 2)}
	b.load(fresh)
	stale := archive("a.zip", filing("1", "7002", "2026-01-05", "FENWICK LLC")).of("2026-01-31")
	stale.funds = []*catalogapi.FundRow{fund("1", f2, "Fenwick II", 1)}
	require.False(t, b.load(stale).Published)
	require.Equal(t, []string{"FENWICK LP"}, b.row(`SELECT legal_name FROM catalog.advisers WHERE crd = '7002'`))
	require.Equal(t, []string{"805-" + f1}, b.row(`SELECT fund_id FROM catalog.funds`))
}

// Editions with and without columns come to the same in any order.
func TestEditionsComeToTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	row := func(edition, name string, options ...func(*catalogapi.AdviserFiling)) document {
		return roster(edition, rosterRow("7001", "2026-01-05", name, options...)).of(edition)
	}
	docs := []document{
		row("2026-01-31", "JAN", raum(1), discretionary(1), phone("1")),
		row("2026-02-28", "FEB", raum(2), silentOn("phone", "raum_discretionary")),
		row("2026-03-31", "MAR", discretionary(3), silentOn("raum", "phone")),
		row("2026-04-30", "APR", phone("4"), silentOn("raum", "raum_discretionary", "phone")),
		row("2026-05-31", "APR", silentOn("raum", "raum_discretionary", "phone")),
	}
	var want []string
	for _, order := range orders(rand.New(rand.NewPCG(7, 11)), len(docs), testscale.Rounds(t, 3)) {
		b := newBench(t)
		for _, n := range order {
			b.load(docs[n])
		}
		require.Equal(t, []string{"APR", "2", "3", "1"}, b.row(`SELECT legal_name, raum, raum_discretionary, phone FROM catalog.advisers`), "order %v", order)
		got := b.row(`SELECT to_jsonb(v), f.edition FROM catalog.adviser_versions v JOIN catalog.filings f USING (accession)`)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, "order %v", order)
		b.close()
	}
}

// An address comes from one filing, but for what its archive has no column for: that stands as it was stated last, unless
// the firm has moved since.
func TestAFormWithoutAColumnLeavesTheAddress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	office := func(street, city, state, postal string, silent ...string) func(*catalogapi.AdviserFiling) {
		return func(f *catalogapi.AdviserFiling) {
			f.Street1, f.City, f.State, f.PostalCode, f.Country, f.Silent = catalogapi.Text(street), catalogapi.Text(city), catalogapi.Text(state), catalogapi.Text(postal), new("United States"), silent
		}
	}
	shown := func() []string {
		return b.row(`SELECT street1, city, state, postal_code, country FROM catalog.advisers`)
	}
	b.load(archive("1.zip", filing("1", "7001", "2025-03-01", "ALDER POINT LLC", office("1 Elm", "Boston", "MA", "02110"))))
	b.load(archive("2.zip", filing("2", "7001", "2026-03-01", "ALDER POINT LLC", office("2 Oak", "", "MA", "02111", "city"))))
	require.Equal(t, []string{"2 Oak", "Boston", "MA", "02111", "United States"}, shown())
	b.load(archive("3.zip", filing("3", "7001", "2026-04-01", "ALDER POINT LLC", office("", "Boston", "MA", "", "street1", "postal_code"))))
	require.Equal(t, []string{"2 Oak", "Boston", "MA", "02111", "United States"}, shown())
	b.load(archive("4.zip", filing("4", "7001", "2026-05-01", "ALDER POINT LLC", office("3 Fir", "", "NY", "10001", "city"))))
	require.Equal(t, []string{"3 Fir", "∅", "NY", "10001", "United States"}, shown(), "Boston is not in New York")
	b.load(archive("5.zip", filing("5", "7001", "2026-06-01", "ALDER POINT LLC", office("3 Fir", "", "NY", "10001"))))
	b.load(archive("6.zip", filing("6", "7001", "2026-07-01", "ALDER POINT LLC", office("3 Fir", "", "NY", "10001", "city"))))
	require.Equal(t, []string{"3 Fir", "∅", "NY", "10001", "United States"}, shown(), "the form between said that there is none")
}

// An office that is stated by a document without the column of private residences is no residence because one was blank
// before.
func TestAStatedOfficeIsNoResidence(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	office := func(street, city string, residence *bool, silent ...string) func(*catalogapi.AdviserFiling) {
		return func(f *catalogapi.AdviserFiling) {
			f.Street1, f.City, f.State, f.Country, f.PrivateResidence, f.Silent = catalogapi.Text(street), catalogapi.Text(city), new("MA"), new("United States"), residence, silent
		}
	}
	shown := func() []string { return b.row(`SELECT street1, city, private_residence FROM catalog.advisers`) }
	b.load(archive("1.zip", filing("1", "7001", "2025-03-01", "ALDER POINT LLC", office("", "", new(true)))))
	b.load(archive("2.zip", filing("2", "7001", "2026-03-01", "ALDER POINT LLC", office("", "", nil, "private_residence"))))
	require.Equal(t, []string{"∅", "∅", "true"}, shown())
	b.load(archive("3.zip", filing("3", "7001", "2026-04-01", "ALDER POINT LLC", office("", "Boston", nil, "private_residence"))))
	require.Equal(t, []string{"∅", "Boston", "∅"}, shown())
	b.load(archive("4.zip", filing("4", "7001", "2026-05-01", "ALDER POINT LLC", office("2 Oak", "Boston", nil, "private_residence"))))
	require.Equal(t, []string{"2 Oak", "Boston", "∅"}, shown())
}

// A form whose archive lacks a column is silent about it: what the form before said stands.
func TestAFormWithoutAColumnLeavesTheField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archive("1.zip", filing("1", "7001", "2025-03-01", "ALDER POINT LLC", raum(9), discretionary(5), phone("1"))))
	b.load(archive("2.zip", filing("2", "7001", "2026-03-01", "ALDER POINT LP", raum(9), silentOn("raum_discretionary"))))
	require.Equal(t, []string{"ALDER POINT LP", "9", "5", "∅"}, b.row(`SELECT legal_name, raum, raum_discretionary, phone FROM catalog.advisers`))
	b.load(archive("3.zip", filing("3", "7001", "2026-04-01", "ALDER POINT LP", raum(8), silentOn("raum_discretionary", "raum"))))
	require.Equal(t, []string{"9", "5"}, b.row(`SELECT raum, raum_discretionary FROM catalog.advisers`))
	b.load(archive("4.zip", filing("4", "7001", "2026-05-01", "ALDER POINT LP")))
	b.load(archive("5.zip", filing("5", "7001", "2026-06-01", "ALDER POINT LP", silentOn("raum_discretionary", "raum"))))
	require.Equal(t, []string{"∅", "∅"}, b.row(`SELECT raum, raum_discretionary FROM catalog.advisers`), "the form between said that there is none")
}

// A part of the assets, and the total, are carried only past forms that state the others as they were; so is a state of
// organization.
func TestAFormWithoutAColumnMixesNoAmounts(t *testing.T) {
	t.Parallel()
	place := func(state, country string, silent ...string) func(*catalogapi.AdviserFiling) {
		return func(f *catalogapi.AdviserFiling) {
			f.OrgState, f.OrgCountry, f.Silent = catalogapi.Text(state), catalogapi.Text(country), silent
		}
	}
	for name, test := range map[string]struct {
		before, after []func(*catalogapi.AdviserFiling)
		query         string
		want          []string
	}{
		"another total": {
			[]func(*catalogapi.AdviserFiling){raum(9), discretionary(5)},
			[]func(*catalogapi.AdviserFiling){raum(8), silentOn("raum_discretionary", "raum_non_discretionary")},
			"raum, raum_discretionary, total_aum",
			[]string{"8", "∅", "8"},
		},
		"another part": {
			[]func(*catalogapi.AdviserFiling){raum(9), discretionary(5)},
			[]func(*catalogapi.AdviserFiling){discretionary(70), silentOn("raum")},
			"raum, raum_discretionary, total_aum",
			[]string{"∅", "70", "∅"},
		},
		"another country": {
			[]func(*catalogapi.AdviserFiling){place("Delaware", "United States")},
			[]func(*catalogapi.AdviserFiling){place("", "Cayman Islands", "org_state")},
			"org_state, org_country",
			[]string{"∅", "Cayman Islands"},
		},
		"the same country": {
			[]func(*catalogapi.AdviserFiling){place("Delaware", "United States")},
			[]func(*catalogapi.AdviserFiling){place("", "United States", "org_state")},
			"org_state, org_country",
			[]string{"Delaware", "United States"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.load(archive("1.zip", filing("1", "7001", "2025-03-01", "ALDER POINT LLC", test.before...)))
			b.load(archive("2.zip", filing("2", "7001", "2026-03-01", "ALDER POINT LLC", test.after...)))
			require.Equal(t, test.want, b.row(`SELECT `+test.query+` FROM catalog.advisers`))
		})
	}
}

// A street and a postal code are the office's without a city, state and country beside them: where they are as before, the
// place is; where they are not, the place is not known.
func TestAStreetSpeaksOfTheOffice(t *testing.T) {
	t.Parallel()
	office := func(street, city, state, country, postal string, silent ...string) func(*catalogapi.AdviserFiling) {
		return func(f *catalogapi.AdviserFiling) {
			f.Street1, f.City, f.State, f.Country, f.PostalCode, f.Silent = catalogapi.Text(street), catalogapi.Text(city), catalogapi.Text(state), catalogapi.Text(country), catalogapi.Text(postal), silent
			f.PrivateResidence = new(false)
		}
	}
	lost := []string{"city", "state", "country"}
	for name, test := range map[string]struct {
		after func(*catalogapi.AdviserFiling)
		want  []string
	}{
		"as before":      {office("1 Elm", "", "", "", "02110", lost...), []string{"1 Elm", "Boston", "MA", "United States", "02110", "false"}},
		"another street": {office("2 Oak", "", "", "", "02110", lost...), []string{"2 Oak", "Boston", "MA", "United States", "02110", "false"}},
		"elsewhere":      {office("2 Oak", "", "", "", "10001", lost...), []string{"2 Oak", "∅", "∅", "∅", "10001", "false"}},
		"street alone":   {office("1 Elm", "", "", "", "", append(lost, "postal_code")...), []string{"1 Elm", "Boston", "MA", "United States", "02110", "false"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.load(archive("1.zip", filing("1", "7001", "2025-03-01", "ALDER POINT LLC", office("1 Elm", "Boston", "MA", "United States", "02110"))))
			b.load(archive("2.zip", filing("2", "7001", "2026-03-01", "ALDER POINT LLC", test.after)))
			require.Equal(t, test.want, b.row(`SELECT street1, city, state, country, postal_code, private_residence FROM catalog.advisers`))
		})
	}
}
