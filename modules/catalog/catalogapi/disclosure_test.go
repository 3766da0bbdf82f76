package catalogapi_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/catalogapi"
)

// yearly are filings F0, F1, … of successive years.
func yearly(n int) []catalogapi.DisclosureFiling {
	list := make([]catalogapi.DisclosureFiling, n)
	for i := range list {
		list[i] = catalogapi.DisclosureFiling{Accession: fmt.Sprintf("F%d", i), Date: time.Date(2020+i, 3, 28, 0, 0, 0, 0, time.UTC)}
	}
	return list
}

func TestMatters(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mentions []catalogapi.DisclosureMention
		want     int
	}{
		"one number": {[]catalogapi.DisclosureMention{{Accession: "F0", ReferenceID: "1"}, {Accession: "F1", ReferenceID: "1", CaseNumber: "a", EventDate: "2020-01-01"}}, 1},
		"one number in two families": {[]catalogapi.DisclosureMention{
			{Accession: "F0", Family: catalogapi.DisclosureCriminal, ReferenceID: "1"}, {Accession: "F0", Seq: 1, Family: catalogapi.DisclosureCivil, ReferenceID: "1"},
		}, 2},
		"two numbers, one case": {[]catalogapi.DisclosureMention{{Accession: "F0", ReferenceID: "1", CaseNumber: "a"}, {Accession: "F0", Seq: 1, ReferenceID: "2", CaseNumber: "a"}}, 2},
		"number lost":           {[]catalogapi.DisclosureMention{{Accession: "F0", ReferenceID: "1", CaseNumber: "A-1"}, {Accession: "F1", CaseNumber: "a 1"}}, 1},
		"number found":          {[]catalogapi.DisclosureMention{{Accession: "F0", Initiator: "SEC", EventDate: "2020-01-01"}, {Accession: "F1", ReferenceID: "1", Initiator: "sec", EventDate: "2020-01-01"}}, 1},
		"a day alone is too little to find a number": {[]catalogapi.DisclosureMention{{Accession: "F0", ReferenceID: "1", EventDate: "2020-01-01"}, {Accession: "F1", EventDate: "2020-01-01"}}, 2},
		"another day":       {[]catalogapi.DisclosureMention{{Accession: "F0", Initiator: "SEC", EventDate: "2020-01-01"}, {Accession: "F1", Initiator: "SEC", EventDate: "2020-01-02"}}, 2},
		"another court":     {[]catalogapi.DisclosureMention{{Accession: "F0", Initiator: "A", CaseNumber: "1"}, {Accession: "F1", Initiator: "B", CaseNumber: "1"}}, 2},
		"told by its text":  {[]catalogapi.DisclosureMention{{Accession: "F0", TextKey: "x"}, {Accession: "F1", TextKey: "x"}, {Accession: "F1", Seq: 1, TextKey: "y"}}, 2},
		"an unknown filing": {[]catalogapi.DisclosureMention{{Accession: "elsewhere", ReferenceID: "1"}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, catalogapi.Matters(yearly(2), test.mentions), test.want)
		})
	}
}

// Guarantee: every page belongs to one matter, whatever the order in which pages are read. A matter has the values of its newest
// page, and its days are those of its first and last page.
func TestMattersOfAnyPages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		filings := yearly(rapid.IntRange(1, 5).Draw(t, "filings"))
		word := rapid.SampledFrom([]string{"", "", "a", "b"})
		mentions := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) catalogapi.DisclosureMention {
			m := catalogapi.DisclosureMention{
				Accession: rapid.SampledFrom(filings).Draw(t, "filing").Accession, Family: rapid.SampledFrom([]catalogapi.DisclosureFamily{catalogapi.DisclosureCivil, catalogapi.DisclosureCriminal}).Draw(t, "family"),
				ReferenceID: word.Draw(t, "reference"), CaseNumber: word.Draw(t, "case"), Initiator: word.Draw(t, "by"), EventDate: word.Draw(t, "on"),
			}
			if m.ReferenceID == "" && m.CaseNumber == "" && m.EventDate == "" {
				m.TextKey = word.Draw(t, "text")
			}
			return m
		}), 0, 25).Draw(t, "mentions")
		for i := range mentions {
			mentions[i].Seq = i
		}
		list := catalogapi.Matters(filings, mentions)
		require.Equal(t, list, catalogapi.Matters(filings, rapid.Permutation(mentions).Draw(t, "read")))
		total := 0
		keys := map[string]bool{}
		for _, m := range list {
			require.False(t, keys[m.Key])
			keys[m.Key] = true
			require.Equal(t, filings[m.Last].Accession, m.Newest.Accession)
			require.LessOrEqual(t, m.First, m.Last)
			require.True(t, m.Times >= 1 && m.Times <= m.Last-m.First+1)
			total += m.Times
		}
		require.LessOrEqual(t, total, len(mentions))
		for _, m := range mentions {
			require.True(t, m.ReferenceID == "" || keys[string(m.Family)+"\x1freference\x1f"+m.ReferenceID], "a page with a number is its own matter's")
		}
	})
}

func TestEventTypeOf(t *testing.T) {
	t.Parallel()
	const sec = "UNITED STATES SECURITIES AND EXCHANGE COMMISSION"
	for name, test := range map[string]struct {
		family   catalogapi.DisclosureFamily
		kind, by string
		items    []string
		want     catalogapi.EventType
	}{
		"criminal":                     {catalogapi.DisclosureCriminal, "SRO", "FINRA", nil, catalogapi.EventCriminal},
		"civil":                        {catalogapi.DisclosureCivil, "SRO", "NYSE", []string{"11.E(1)"}, catalogapi.EventCivil},
		"self-regulator by type":       {catalogapi.DisclosureRegulatory, "SRO", "", nil, catalogapi.EventDisciplinary},
		"spelled out":                  {catalogapi.DisclosureRegulatory, "Self-Regulatory Organization", "", nil, catalogapi.EventDisciplinary},
		"SEC":                          {catalogapi.DisclosureRegulatory, "SEC", sec, []string{"11.E(1)"}, catalogapi.EventRegulatory},
		"state, whatever its name":     {catalogapi.DisclosureRegulatory, "State", "NASD DEPARTMENT OF TEXAS", nil, catalogapi.EventRegulatory},
		"foreign":                      {catalogapi.DisclosureRegulatory, "Foreign", "LONDON STOCK EXCHANGE", nil, catalogapi.EventRegulatory},
		"other federal":                {catalogapi.DisclosureRegulatory, "Other Federal", "CFTC", nil, catalogapi.EventRegulatory},
		"by name":                      {catalogapi.DisclosureRegulatory, "", "FINRA", nil, catalogapi.EventDisciplinary},
		"by former name":               {catalogapi.DisclosureRegulatory, "Other", "National Association of Securities Dealers, Inc.", nil, catalogapi.EventDisciplinary},
		"an exchange":                  {catalogapi.DisclosureRegulatory, "N/A", "New York Stock Exchange (NYSE)", nil, catalogapi.EventDisciplinary},
		"an exchange's division":       {catalogapi.DisclosureRegulatory, "", "NYSE REGULATION", nil, catalogapi.EventDisciplinary},
		"the commission by name":       {catalogapi.DisclosureRegulatory, "", sec, []string{"11.E(1)"}, catalogapi.EventRegulatory},
		"part of a word":               {catalogapi.DisclosureRegulatory, "", "CMEX ADVISERS' BOARD OF TIVAN", nil, catalogapi.EventRegulatory},
		"by items":                     {catalogapi.DisclosureRegulatory, "", "", []string{"11.E(1)", "11.E(3)"}, catalogapi.EventDisciplinary},
		"by items, also for others":    {catalogapi.DisclosureRegulatory, "", "", []string{"11.E(1)", "11.C(1)"}, catalogapi.EventRegulatory},
		"nothing is known of who asks": {catalogapi.DisclosureRegulatory, "", "", nil, catalogapi.EventRegulatory},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, catalogapi.EventTypeOf(test.family, test.kind, test.by, test.items))
		})
	}
}
