package main

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
	"gpatlas/sample"
)

// cellOf is a cell of a row of an archive. The headers of archives differ in spaces, and may have a byte order mark.
func cellOf(row map[string]string, header string) string {
	for name, cell := range row {
		if strings.TrimPrefix(strings.ReplaceAll(name, " ", ""), "\ufeff") == strings.ReplaceAll(header, " ", "") {
			return cell
		}
	}
	return ""
}

// V47: the events of all managers are those that a reading of the archives finds: each ReferenceID once, as the newest filing with it
// states it, and no longer reported where the manager has filed again without it.
func TestDisclosuresOfTheArchives(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := sample.Write(t.Context(), sample.Options{Dir: dir})
	require.NoError(t, err)
	archives, err := filepath.Glob(filepath.Join(dir, "ADV_Filing_Data_*.zip"))
	require.NoError(t, err)
	dayOf := func(cell string) string {
		day, _, _ := strings.Cut(cell, " ")
		parsed, err := time.Parse("1/2/2006", day)
		if err != nil {
			return ""
		}
		return parsed.Format(time.DateOnly)
	}
	type filed struct {
		crd, day string
		id       int
	}
	filings, last := map[string]filed{}, map[string]filed{} // by FilingID; the last of each manager
	after := func(a, b filed) bool { return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.id, b.id)) > 0 }
	for _, archive := range archives {
		for _, base := range []string{"IA_ADV_Base_A", "ERA_ADV_Base"} {
			members(t, archive, base, ',', func(row map[string]string) {
				key := cellOf(row, "FilingID")
				id, err := strconv.Atoi(key)
				require.NoError(t, err)
				f := filed{cellOf(row, "1E1") + cellOf(row, "1E"), dayOf(cellOf(row, "DateSubmitted")), id}
				if filings[key] = f; after(f, last[f.crd]) {
					last[f.crd] = f
				}
			})
		}
	}
	type event struct {
		CRD       string
		Type      string  `json:"event_type"`
		Reference string  `json:"reference_id"`
		Day       *string `json:"event_date"`
		First     string  `json:"disclosed_at"`
		By        *string `json:"initiated_by"`
		Amount    *int64  `json:"monetary_amount"`
		Accession string  `json:"accession_number"`
		NoLonger  bool    `json:"no_longer_reported"`
	}
	want, newest := map[string]event{}, map[string]filed{}
	for _, archive := range archives {
		for family, date := range map[string]string{"DRP_Criminal": "Date First Charged", "DRP_Regulatory": "Date Initiated", "DRP_Civil_Judicial": "Filing Date"} {
			members(t, archive, family, ',', func(row map[string]string) {
				f := filings[cellOf(row, "FilingID")]
				key := f.crd + family + cellOf(row, "ReferenceID")
				e, known := want[key]
				if !known || f.day < e.First {
					e.First = f.day
				}
				if !known || after(f, newest[key]) {
					newest[key] = f
					e.CRD, e.Reference, e.Accession, e.NoLonger = f.crd, cellOf(row, "ReferenceID"), "ADV-"+f.crd+"-"+strconv.Itoa(f.id), f != last[f.crd]
					e.Day, e.By, e.Amount = nil, nil, nil
					if day := dayOf(cellOf(row, date)); day != "" {
						e.Day = &day
					}
					if by := cellOf(row, "Initiated By"); by != "" && family != "DRP_Criminal" {
						e.By = &by
					}
					if amount, err := strconv.ParseInt(cellOf(row, "Monetary Amount"), 10, 64); err == nil {
						e.Amount = &amount
					}
					e.Type = map[string]string{"DRP_Criminal": "criminal", "DRP_Civil_Judicial": "civil", "DRP_Regulatory": "regulatory"}[family]
					if family == "DRP_Regulatory" && cellOf(row, "Initiator Type") == "SRO" {
						e.Type = "disciplinary"
					}
				}
				want[key] = e
			})
		}
	}
	order := func(a, b event) int {
		return cmp.Or(cmp.Compare(a.CRD, b.CRD), cmp.Compare(a.Reference, b.Reference), cmp.Compare(a.Type, b.Type))
	}
	expected := make([]event, 0, len(want))
	for _, e := range want {
		expected = append(expected, e)
	}
	slices.SortFunc(expected, order)
	require.Greater(t, len(expected), 100)

	h := startHouse(t, sampleDB.NewURL(t), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off")
	walk := func(query url.Values) (got []event) {
		query.Set("limit", "100")
		for {
			status, body := get(t, h.base+"/v1/disclosures?"+query.Encode())
			require.Equal(t, http.StatusOK, status, body)
			var page struct {
				Data []event
				Meta struct {
					NextCursor *string `json:"next_cursor"`
				}
			}
			require.NoError(t, json.Unmarshal([]byte(body), &page))
			require.NotContains(t, body, `"withheld":["`)
			if got = append(got, page.Data...); page.Meta.NextCursor == nil {
				slices.SortFunc(got, order)
				return got
			}
			query.Set("cursor", *page.Meta.NextCursor)
		}
	}
	require.Equal(t, expected, walk(url.Values{"include_past": {"true"}}))
	later := slices.DeleteFunc(expected, func(e event) bool { return e.NoLonger || e.First < "2020-01-01" })
	require.Equal(t, later, walk(url.Values{"disclosed_after": {"2020-01-01"}}))
	t.Logf("%d events, %d first disclosed since 2020", len(want), len(later))
}
