package regulatory

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzDecode: whatever a server sends, it is refused, or it is an answer that can be kept and shown: kinds of the contract,
// credible days, texts that PostgreSQL takes, each event once, in one order however they came.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		unknownFirm, firm(""), firm(itemised), firm(`"iaDisclosureFlag":"Y",`), `{"hits":{"hits":[{"_source":{"iacontent":{"basicInformation":{"firmId":900001}}}}]}}`,
		firm(`"iaDisclosures":[{"disclosureType":"Civil","eventDate":"2/29/2023","disclosureDetail":{"Allegations":"\u0000\ud800","Amount":"$9,223,372,036,854,775,807"}}],`),
		firm(`"iaCivilDisclosures":[{"disclosureDetail":{"SanctionDetails":[{"Sanctions":"BAR","SanctionDetails":[{"Amount":9e9}]},7,null]}}],`),
		`{"errorCode":1,"errorMessage":"x"}`, `{"hits":{"hits":[{"_source":{"iacontent":"\"{}\""}}]}}`, `[[[[[[`, "",
	} {
		f.Add([]byte(seed))
	}
	f.Add([]byte(itemised)) // the content alone, which mutations reach better when it is not packed
	f.Fuzz(func(t *testing.T, body []byte) {
		checkDecoded(t, body)
		checkDecoded(t, []byte(`{"hits":{"hits":[{"_source":{"iacontent":{"basicInformation":{"firmId":900001},`+string(body)+`"x":0}}}]}}`))
	})
}

func checkDecoded(t *testing.T, body []byte) {
	t.Helper()
	a, err := decodeFirm(body, "900001")
	if err != nil {
		require.True(t, utf8.ValidString(cut(err.Error())) || !utf8.Valid(body))
		require.Empty(t, a.Events)
		return
	}
	seen := map[string]bool{}
	for i := range a.Events {
		e := &a.Events[i]
		require.Contains(t, []EventType{Disciplinary, Regulatory, Civil, Criminal}, e.EventType)
		require.False(t, seen[e.EventID], "twice")
		seen[e.EventID] = true
		for _, day := range []*string{e.EventDate, e.ResolutionDate} {
			if day != nil {
				_, err := time.Parse(time.DateOnly, *day)
				require.NoError(t, err)
			}
		}
		if e.MonetaryAmount != nil {
			require.GreaterOrEqual(t, *e.MonetaryAmount, int64(0))
		}
	}
	for _, n := range a.NotItemized {
		require.True(t, n.Count == nil && n.EventType == nil || *n.Count > 0)
	}
	text, err := json.Marshal(a)
	require.NoError(t, err)
	require.NotContains(t, strings.ReplaceAll(string(text), `\\`, ""), `\u0000`)
	var again Answer
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, a, again, "remembered otherwise")

	merged := union(nil, a.Events)
	for i := range merged {
		merged[i].complete()
		require.NotEmpty(t, merged[i].Description)
	}
	sortEvents(merged)
	backwards := slices.Clone(merged)
	slices.Reverse(backwards)
	sortEvents(backwards)
	require.Equal(t, merged, backwards)
}
