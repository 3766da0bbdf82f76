package text_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/text"
)

// endings are legal forms as people type them: known, foreign, in words, and mistyped.
var endings = []string{
	"LLC", "L.L.C.", "l l c", "LC", "LP", "L.P.", "LLP", "LLLP", "PLLC", "P.C.", "p c", "Inc.", "Ltd", "Corp.", "Co.", "PLC", "Pte Ltd", "Pte. Ltd.", "Pty Ltd",
	"Limited", "Incorporated", "Corporation", "Company", "Partnership", "& Co.", "and Company", "& Co. LLC",
	"Limited Partnership", "Limited Liability Company", "Limited Liability Co", "Limited Liability Partnership", "Limited Liability Limited Partnership",
	"Public Limited Company", "Public Ltd Co", "Private Limited", "Private Limited Company", "Proprietary Limited", "Company Limited", "Co., Ltd.",
	"Professional Corporation", "Professional Limited Liability Company", "Designated Activity Company", "DAC", "ICAV", "VCC", "ULC",
	"SPC", "Segregated Portfolio Company", "SPC Ltd", "Exempted Limited Partnership", "Exempted Company", "ELP",
	"S.à r.l.", "S.à.r.l.", "S. à r. l.", "Sàrl", "Sarl", "SCSp", "S.C.Sp.", "SCA", "S.C.A.", "SCS", "SICAV", "SICAV-SIF", "SICAV SA", "SICAR", "S.A.", "SAS", "SE",
	"ApS", "A/S", "K/S", "P/S", "Oy", "Oyj", "AB", "AS", "ASA", "GmbH", "GmbH & Co. KG", "GmbH & Co. KGaA", "KG", "AG", "AG & Co. KG", "UG", "BV", "B.V.", "NV", "N.V.", "C.V.",
	"SpA", "S.p.A.", "S.r.l.", "SGR", "S.L.", "Ltda", "Lda", "K.K.", "KK", "G.K.", "Kabushiki Kaisha", "Godo Kaisha", "Sdn Bhd", "Sdn. Bhd.", "Pvt Ltd", "s.r.o.", "Sp. z o.o.",
	"Lmited", "Limted", "Limitd", "Liimted", "Limite", "Limitedd", "Incoporated", "Incorporatd", "Corpration", "Coporation", "Corporaton", "Compny", "Cmopany", "Compan",
	"Parnership", "Partnrship", "Limited Partnrship", "Lmited Partnership", "Lmited Partnrship", "Lmited Liability Company", "Limited Libility Company",
	"Limited Liability Compny", "Limited Liabilty Partnership", "Pubic Limited Company", "Segregatd Portfolio Company", "Segregated Portfolo Company",
	"Exempted Limited Partnrship", "Exemptd Limited Partnership", "Pte Lmited", "Pty Limted", "Compny Limited", "Private Limted",
}

// Guarantee: a legal form at the end of a name excludes nothing, known or foreign, in letters or in words, also with one mistake in a word of five
// letters or more.
func TestNoEndingExcludes(t *testing.T) {
	t.Parallel()
	records := []record{
		{[]string{"Oak Harbor Capital, L.P."}, "Denver CO"},
		{[]string{"Oak Harbor Capital Growth Limited"}, ""},
		{[]string{"Oak Harbor Company"}, ""},
		{[]string{"Fern Ridge Lmited"}, ""}, // words of names: with them, the query as it stands finds nothing
		{[]string{"Fern Parnership Incoporated"}, ""},
		{[]string{"Public Portfolio Companies"}, ""},
		{[]string{"Private Segregated Liability Partners"}, ""},
	}
	for name, known := range map[string][]record{"a mistake that is no word": records[:3], "a mistake that is a word of other names": records} {
		b := text.NewBuilder(len(known))
		for i, r := range known {
			b.Add(uint32(i), r.names, r.location)
		}
		ix := b.Build()
		for _, ending := range endings {
			if got := firstTen(ix, "Oak Harbor Capital "+ending); !slices.Equal(slices.Sorted(slices.Values(got)), []uint32{0, 1}) {
				t.Errorf("%s: %s finds %d", name, ending, got)
			}
		}
	}
}

// Guarantee: a legal form behind a single letter or a numeral is a form too.
func TestNoEndingExcludesBehindALetter(t *testing.T) {
	t.Parallel()
	names := []string{"Oak Harbor Fund I", "Oak Harbor Fund I, L.P.", "Oak Harbor Fund I A/S", "Oak Harbor Fund B", "Oak Harbor Fund III K/S", "Oak Harbor Fund V"}
	b := text.NewBuilder(len(names))
	for i, name := range names {
		b.Add(uint32(i), []string{name})
	}
	ix := b.Build()
	for _, ending := range endings {
		for query, want := range map[string]uint32{"oak harbor fund i ": 0, "oak harbor fund b ": 3, "oak harbor fund iii ": 4, "oak harbor fund v ": 5} {
			if got := firstTen(ix, query+ending); !slices.Contains(got, want) {
				t.Errorf("%s finds %d", query+ending, got)
			}
		}
	}
}

// Guarantee: a mistyped form counts as that form: names that bear it come first.
func TestAMistypedFormIsThatForm(t *testing.T) {
	t.Parallel()
	b := text.NewBuilder(6)
	for i, name := range []string{"Oak Harbor Three LLC", "Oak Harbor Two, L.P.", "Oak Harbor One Limited", "Oak Harbor Four SPC", "Oak Harbor LLC", "Oak Harbor Ltd"} {
		b.Add(uint32(i), []string{name})
	}
	ix := b.Build()
	for query, want := range map[string][]uint32{
		"oak harbor lmited":                       {5, 2, 0, 1, 3, 4}, // 5 is its whole name
		"oak harbor limited partnrship":           {1, 0, 2, 3, 4, 5},
		"oak harbor lmited liability company":     {4, 0, 1, 2, 3, 5},
		"oak harbor segregated portfolio company": {3, 0, 1, 2, 4, 5},
		"oak harbor gmbh & co. kg":                {0, 1, 2, 3, 4, 5},
	} {
		require.Equal(t, want, firstTen(ix, query), query)
	}
}

// Guarantee: words that are also legal forms, and words like one, are words of a query like others elsewhere than at its end.
func TestOnlyAFormIsTakenForOne(t *testing.T) {
	t.Parallel()
	b := text.NewBuilder(4)
	for i, name := range []string{"Oak SE Fund", "Oak Companies Inc", "Oak Public Portfolio", "Oak Partners"} {
		b.Add(uint32(i), []string{name})
	}
	ix := b.Build()
	for query, want := range map[string][]uint32{
		"oak se fund":     {0},
		"oak compani":     {1}, // begins another word
		"oak public":      {2},
		"oak portfolio":   {2},
		"oak partners":    {3},
		"oak partnership": {0, 1, 2, 3},
		"oak as":          {0, 1, 2, 3},
		"oak as fund":     nil,
		"as oak":          nil,
	} {
		require.ElementsMatch(t, want, firstTen(ix, query), query)
	}
}

// firstTen is the first ten records that a query finds.
func firstTen(ix *text.Index, query string) (records []uint32) {
	m := ix.Match(query)
	defer m.Release()
	for _, h := range m.Best(nil, text.Relevance, text.Only{}, 0, 10) {
		records = append(records, h.Record)
	}
	return records
}
