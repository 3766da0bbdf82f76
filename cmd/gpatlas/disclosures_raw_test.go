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
		answers  bool // its archive has the tables of all families for its kind of manager
	}
	filings, last := map[string]filed{}, map[string]filed{} // by FilingID; the last of each manager
	after := func(a, b filed) bool { return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.id, b.id)) > 0 }
	tables := []string{"DRP_Criminal", "DRP_Regulatory", "DRP_Civil_Judicial"}
	for _, archive := range archives {
		for _, base := range []string{"IA_ADV_Base_A", "ERA_ADV_Base"} {
			kind, _, _ := strings.Cut(base, "_")
			answers := !slices.ContainsFunc(tables, func(table string) bool { // a table without rows may have lost them
				rows := 0
				members(t, archive, kind+"_"+table, ',', func(map[string]string) { rows++ })
				return rows == 0
			})
			members(t, archive, base, ',', func(row map[string]string) {
				key := cellOf(row, "FilingID")
				id, err := strconv.Atoi(key)
				require.NoError(t, err)
				f := filed{cellOf(row, "1E1") + cellOf(row, "1E"), dayOf(cellOf(row, "DateSubmitted")), id, answers}
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
	found := func(query string) (crds []string) {
		for _, former := range []string{"", "&former=true"} {
			for offset, total := 0, 1; offset < total; offset += 100 {
				status, body := get(t, h.base+"/v1/gps?limit=100&"+query+former+"&offset="+strconv.Itoa(offset))
				require.Equal(t, http.StatusOK, status, body)
				var page struct {
					Data []struct{ CRD string }
					Meta struct{ Total int }
				}
				require.NoError(t, json.Unmarshal([]byte(body), &page))
				for _, row := range page.Data {
					crds = append(crds, row.CRD)
				}
				total = page.Meta.Total
			}
		}
		slices.Sort(crds)
		return crds
	}
	reporting := func(is func(e event) bool) (crds []string) {
		for _, e := range expected {
			if !e.NoLonger && is(e) {
				crds = append(crds, e.CRD)
			}
		}
		slices.Sort(crds)
		return slices.Compact(crds)
	}
	some, none := reporting(func(event) bool { return true }), []string(nil)
	for crd, newest := range last {
		if newest.answers && !slices.Contains(some, crd) {
			none = append(none, crd)
		}
	}
	slices.Sort(none)
	require.Equal(t, some, found("has_disclosure=true"))
	require.Equal(t, none, found("has_disclosure=false"))
	matched := 0
	for query, is := range map[string]func(e event) bool{
		"disclosure_type=criminal":           func(e event) bool { return e.Type == "criminal" },
		"disclosure_type=civil,disciplinary": func(e event) bool { return e.Type == "civil" || e.Type == "disciplinary" },
		"disclosure_type=regulatory":         func(e event) bool { return e.Type == "regulatory" },
		"disclosed_after=2025-01-01":         func(e event) bool { return e.First >= "2025-01-01" },
		"disclosed_before=2024-12-31":        func(e event) bool { return e.First <= "2024-12-31" },
		"disclosed_after=2024-06-01&disclosed_before=2025-06-30&disclosure_type=regulatory": func(e event) bool {
			return e.First >= "2024-06-01" && e.First <= "2025-06-30" && e.Type == "regulatory"
		},
	} {
		want := reporting(is)
		require.Equal(t, want, found(query), query)
		if len(want) > 0 {
			matched++
		}
	}
	require.Greater(t, matched, 3)
	for crd := range last {
		status, body := get(t, h.base+"/v1/gps/"+crd+"/regulatory")
		require.Equal(t, http.StatusOK, status, body)
		var of struct {
			Data struct {
				Stated bool
				Events []struct {
					NoLonger bool `json:"no_longer_reported"`
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &of))
		require.True(t, of.Data.Stated || !slices.Contains(none, crd))
		reports := false
		for _, e := range of.Data.Events {
			reports = reports || !e.NoLonger
		}
		require.Equal(t, slices.Contains(some, crd), reports, crd)
	}
	t.Logf("%d managers report events, %d none", len(some), len(none))
	later := slices.DeleteFunc(expected, func(e event) bool { return e.NoLonger || e.First < "2020-01-01" })
	require.Equal(t, later, walk(url.Values{"disclosed_after": {"2020-01-01"}}))
	t.Logf("%d events, %d first disclosed since 2020", len(want), len(later))
}
