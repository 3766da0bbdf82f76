package provider_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/sample"
)

// Guarantee: values are invented for people of the invented sample alone. Whoever is named by a real manager's filings, too, is not known.
func TestInvented(t *testing.T) {
	t.Parallel()
	p := provider.NewInvented(func(crd, firm string) bool { return crd == "749096" && firm == "Invented LLC" })
	require.Equal(t, "invented", p.Name())
	ours, genuine := provider.Manager{CRD: "749096", Firm: "Invented LLC"}, provider.Manager{CRD: "1234", Firm: "Real LLC"}
	of := func(managers ...provider.Manager) provider.Query {
		return provider.Query{First: "Zoë", Last: "Van Larkspur", UID: "per_k3v7q2mz5xw4n6ta", CRD: "749096", Firm: "Invented LLC", Managers: managers}
	}
	got, err := p.Enrich(t.Context(), of(ours, ours))
	require.NoError(t, err)
	require.Equal(t, provider.Result{
		First: "Zoë", Last: "Van Larkspur", Confidence: 1, Email: "zoe.van.larkspur@invented.example", Phone: got.Phone,
		Location: "Boston, MA (invented)", NetworkURL: "https://network.invented.example/per_k3v7q2mz5xw4n6ta", Education: got.Education, Experience: got.Experience,
	}, got)
	require.Regexp(t, `^\+1 212-555-01\d\d$`, got.Phone)
	require.Len(t, got.Education, 1)
	require.Contains(t, got.Education[0].School, "(invented)")
	require.Len(t, got.Experience, 1)
	require.Contains(t, got.Experience[0].Firm, "(invented)")
	require.Equal(t, got.Education[0].To, got.Experience[0].From)
	again, err := p.Enrich(t.Context(), of(ours))
	require.NoError(t, err)
	require.Equal(t, got, again)
	for name, q := range map[string]provider.Query{
		"a real manager": of(genuine), "one of two is real": of(ours, genuine), "the number of one of ours": of(provider.Manager{CRD: "749096", Firm: "Real LLC"}),
		"the name of one of ours": of(provider.Manager{CRD: "1234", Firm: "Invented LLC"}), "no manager": of(),
	} {
		got, err := p.Enrich(t.Context(), q)
		require.Equal(t, provider.NoMatch, provider.KindOf(err), name)
		require.Empty(t, got, name)
		_, err = provider.NewInvented(sample.Has).Enrich(t.Context(), q)
		require.Equal(t, provider.NoMatch, provider.KindOf(err), name)
	}
	known := 0
	for i := range 800 {
		q := of(ours)
		q.UID += string(rune('a'+i%26)) + string(rune('a'+i/26))
		if _, err := p.Enrich(t.Context(), q); err == nil {
			known++
		}
	}
	require.InDelta(t, 700, known, 50)
}
