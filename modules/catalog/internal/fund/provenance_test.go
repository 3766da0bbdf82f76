package fund_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
)

// With provenance the answer is the same but for that; what it names of a field is the filing that says it.
func TestProvenance(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	get := func(path string) map[string]any {
		var a struct {
			Data map[string]any `json:"data"`
		}
		require.NoError(t, json.Unmarshal([]byte(host.Do(t, httpapitest.Scenario{Path: path}).Body), &a))
		return a.Data
	}
	for _, path := range []string{"/v1/funds/805-0000000012", "/v1/funds/805-0000000010", "/v1/funds/805-0000000011?as_of=2020-06-30"} {
		sign := "?"
		if len(path) > len("/v1/funds/805-0000000012") {
			sign = "&"
		}
		plain, traced := get(path), get(path+sign+"include=provenance")
		require.NotContains(t, plain, "provenance")
		said, _ := traced["provenance"].(map[string]any)
		delete(traced, "provenance")
		require.Equal(t, plain, traced)
		for field, value := range plain {
			switch field {
			case "id", "fund_id", "source", "closed_between", "exemptions": // no notice gives exemptions here
				require.NotContains(t, said, field)
			default:
				require.Equal(t, value != nil, said[field] != nil, field)
			}
		}
	}
	first := map[string]any{"accession_number": "ADV-900001-1001", "filing_type": "ADV", "filing_date": "2019-03-28"}
	form := map[string]any{"accession_number": "ADV-900001-2001", "filing_type": "ADV/A", "filing_date": "2026-03-28"}
	roster := map[string]any{"accession_number": "ROSTER-900001-20260701", "filing_type": "ADV/A", "filing_date": "2026-07-01"}
	said, _ := get("/v1/funds/805-0000000010?include=provenance")["provenance"].(map[string]any)
	require.Equal(t, first, said["name"])
	require.Equal(t, form, said["status"], "the list that no longer names it")
	require.Equal(t, roster, said["adviser_name"], "the name of today")
	require.Equal(t, first, said["vintage_year"])
	then := get("/v1/funds/805-0000000011?as_of=2020-06-30&include=provenance")
	said, _ = then["provenance"].(map[string]any)
	require.Equal(t, "Harbor Ridge Partners LLC", then["adviser_name"], "its name then, which was another")
	require.Equal(t, first, said["adviser_name"])
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/funds/805-0000000010?include=adviser", Status: http.StatusBadRequest,
		Contains: []string{`Invalid include: \"adviser\" cannot be included; the parts are provenance`},
	})
}
