package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/text"
)

// Guarantee: a query that finds nothing is read again: without legal forms, with an error in a short word, with a lost blank. What
// is found as it is typed is found as before, and numbers are never taken for others.
func TestTolerantReading(t *testing.T) {
	t.Parallel()
	records := []record{
		{[]string{"Oak Harbor Capital, L.P."}, "Denver CO"},
		{[]string{"Elm Growth Fund II LLC"}, ""},
		{[]string{"Fern Growth Fund III LLC"}, ""},
		{[]string{"Larkspur Holdings Inc."}, ""},
		{[]string{"Larkspur Advisers LLC"}, ""},
		{[]string{"Fund 2019 LP"}, ""},
	}
	b := text.NewBuilder(len(records))
	for i, r := range records {
		b.Add(uint32(i), r.names, r.location)
	}
	ix := b.Build()
	find := func(ix *text.Index, query string, by text.Ranking) (list []uint32) {
		m := ix.Match(query)
		defer m.Release()
		for _, h := range m.Best(nil, by, text.Only{}, 0, 10) {
			list = append(list, h.Record)
			_, ok := m.Rank(h.Record)
			require.True(t, ok, query)
		}
		require.Equal(t, len(list), m.Count(), query)
		return list
	}
	for query, want := range map[string][]uint32{
		"oik harbor capital":        {0}, // a wrong letter, one too many, one too few, two swapped
		"oakk harbor":               {0},
		"fen growth":                {2},
		"fren growth":               {2},
		"oak harbor capital llc":    {0}, // another form, a mistyped one, one that is there
		"oak harbor capital lc":     {0},
		"larkspur holdings imc":     {3},
		"larkspur advisers ltd":     {4},
		"oakharbor capital":         {0}, // a lost blank, also before a form
		"larkspuradvisers":          {4},
		"oik harbor capital inc":    {0},
		"elm growth fund iv":        nil, // numbers
		"fund 2018":                 nil,
		"xyz harbor capital":        nil,
		"llc":                       {1, 2, 4},
		"larkspur holdings company": {3},
		"zz":                        nil,
		"llx":                       nil,
	} {
		require.Equal(t, want, find(ix, query, text.Relevance), query)
		require.Equal(t, want, find(ix, query, text.Ranking{0, text.Begins, 1, 3, 5, 2, 4, 6, 7, 8}), query)
	}
	for _, query := range []string{"oik harbor capital", "larkspuradvisers", "larkspur holdings imc"} {
		require.Empty(t, find(ix.Strict(), query, text.Relevance), query)
	}
}
