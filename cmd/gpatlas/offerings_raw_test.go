package main

import (
	"archive/zip"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
	"gpatlas/sample"
)

// members reads the tables of an archive whose names contain a part: each row by the columns of its header.
func members(t *testing.T, archive, part string, separator rune, each func(row map[string]string)) {
	t.Helper()
	in, err := zip.OpenReader(archive)
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	for _, f := range in.File {
		if !strings.Contains(f.Name, part) {
			continue
		}
		src, err := f.Open()
		require.NoError(t, err)
		r := csv.NewReader(src)
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = separator, true, -1
		header, err := r.Read()
		require.NoError(t, err)
		for {
			cells, err := r.Read()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			row := map[string]string{}
			for i := range min(len(header), len(cells)) {
				row[header[i]] = cells[i]
			}
			each(row)
		}
	}
}

// V21: the offerings of a quarter are those that a reading of the files finds: the numbers that filings name, and of each its newest notice.
func TestOfferingsOfAQuarter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := sample.Write(t.Context(), sample.Options{Dir: dir})
	require.NoError(t, err)
	named := map[string]bool{} // file numbers in filings of managers
	archives, err := filepath.Glob(filepath.Join(dir, "ADV_Filing_Data_*.zip"))
	require.NoError(t, err)
	for _, archive := range archives {
		members(t, archive, "Schedule_D_7B1A22", ',', func(row map[string]string) { named[row["Form D File Number"]] = true })
	}
	type offering struct {
		Day, Form, Accession    string
		Amount, Sold, Remaining *int64
	}
	number := func(text string) *int64 {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return &n
		}
		return nil
	}
	newest, files := map[string]offering{}, map[string]string{} // by file number; file numbers by accession number
	sets, err := filepath.Glob(filepath.Join(dir, "*_d.zip"))
	require.NoError(t, err)
	require.Len(t, sets, 8)
	for _, set := range sets {
		amounts := map[string]offering{}
		members(t, set, "/OFFERING.tsv", '\t', func(row map[string]string) {
			amounts[row["ACCESSIONNUMBER"]] = offering{Amount: number(row["TOTALOFFERINGAMOUNT"]), Sold: number(row["TOTALAMOUNTSOLD"]), Remaining: number(row["TOTALREMAINING"])}
		})
		members(t, set, "/FORMDSUBMISSION.tsv", '\t', func(row map[string]string) {
			day, err := time.Parse("02-Jan-2006", row["FILING_DATE"])
			require.NoError(t, err)
			o := amounts[row["ACCESSIONNUMBER"]]
			o.Day, o.Form, o.Accession = day.Format(time.DateOnly), row["SUBMISSIONTYPE"], row["ACCESSIONNUMBER"]
			files[o.Accession] = row["FILE_NUM"]
			if of, ok := newest[row["FILE_NUM"]]; !ok || o.Day > of.Day {
				newest[row["FILE_NUM"]] = o
			}
		})
	}
	const from, to = "2025-10-01", "2025-12-31"
	want := map[string]offering{}
	for file, o := range newest {
		if named[file] && o.Day >= from && o.Day <= to {
			want[file] = o
		}
	}
	require.Greater(t, len(want), 10)

	h := startHouse(t, sampleDB.NewURL(t), dbtest.RedisURL(t))
	got, byName := map[string]offering{}, 0
	query := url.Values{"filed_after": {from}, "limit": {"100"}}
	for {
		status, body := get(t, h.base+"/v1/offerings?"+query.Encode())
		require.Equal(t, http.StatusOK, status, body)
		var page struct {
			Data []struct {
				ID        string `json:"offering_id"`
				Day       string `json:"latest_notice"`
				Form      string `json:"filing_type"`
				Accession string `json:"accession_number"`
				MatchedBy string `json:"matched_by"`
				Amount    *int64 `json:"offering_amount"`
				Sold      *int64 `json:"amount_sold"`
				Remaining *int64 `json:"amount_remaining"`
			}
			Meta struct {
				NextCursor *string `json:"next_cursor"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &page))
		for _, o := range page.Data {
			switch {
			case o.MatchedBy == "name":
				byName++
				require.False(t, named[files[o.Accession]], o.ID)
			case o.Day <= to:
				got[o.ID] = offering{o.Day, o.Form, o.Accession, o.Amount, o.Sold, o.Remaining}
			}
		}
		if page.Meta.NextCursor == nil {
			break
		}
		query.Set("cursor", *page.Meta.NextCursor)
	}
	require.Equal(t, want, got)
	require.Positive(t, byName)
	t.Logf("%d offerings of the quarter by number, %d since by name", len(want), byName)
}
