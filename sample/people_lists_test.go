package sample_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/sample"
)

// Lists of commitments name LPs of every kind on two days. Most of their funds are in the catalog's filings, and their figures
// agree with one another.
func TestListsOfCommitments(t *testing.T) {
	t.Parallel()
	funds := map[string]bool{}
	for _, f := range theSmallOne(t).filings {
		for _, r := range f.funds {
			name, _, _ := strings.Cut(strings.ToUpper(r["Fund Name"]), ",")
			funds[name] = true
		}
	}
	kinds, dates, lps := map[string]bool{}, map[string]int{}, map[string]bool{}
	known, all := 0, 0
	for _, a := range theFiles(t).summary.Archives {
		if a.Kind != sample.KindLP {
			continue
		}
		f, err := os.Open(a.Path)
		require.NoError(t, err)
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Equal(t, a.Tables[0].Rows, len(rows)-1)
		seen := map[string]bool{}
		for _, row := range rows[1:] {
			r := map[string]string{}
			for i, column := range rows[0] {
				r[column] = row[i]
			}
			all++
			kinds[r["entity_type"]], lps[r["pension_fund_name"]] = true, true
			dates[r["as_of_date"]]++
			require.False(t, seen[r["pension_fund_name"]+"|"+r["fund_name"]], "an LP has a fund once a day")
			seen[r["pension_fund_name"]+"|"+r["fund_name"]] = true
			name, _, _ := strings.Cut(strings.ToUpper(r["fund_name"]), ",")
			if funds[name] {
				known++
			}
			number := func(column string) float64 {
				v, err := strconv.ParseFloat(r[column], 64)
				require.NoError(t, err, column)
				return v
			}
			called, paid, left := number("capital_called_mm"), number("capital_distributed_mm"), number("remaining_value_mm")
			require.Positive(t, number("commitment_mm"))
			require.GreaterOrEqual(t, left, 0.0)
			if called > 0 {
				require.InDelta(t, (paid+left)/called, number("net_multiple"), 0.001)
			}
			require.Equal(t, r["country"] == "United States", r["pension_fund_state"] != "")
		}
	}
	require.Len(t, kinds, 8)
	require.Len(t, lps, 15)
	require.Len(t, dates, 2)
	require.Greater(t, known*100, all*60, "%d of %d", known, all)
	require.Less(t, known, all)
}

// Boards are written as their vendors answer, on several days, so that postings come and go.
func TestBoardsAreRecorded(t *testing.T) {
	t.Parallel()
	perBoard, sizes := map[string][]int{}, 0
	for _, path := range theFiles(t).summary.Boards {
		parts := strings.Split(strings.TrimSuffix(filepath.Base(path), ".json"), ".")
		require.Len(t, parts, 4)
		require.Contains(t, theSmallOne(t).byCRD, parts[0])
		_, err := time.Parse(time.DateOnly, parts[3])
		require.NoError(t, err)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var postings []map[string]any
		switch parts[1] {
		case "lever":
			require.NoError(t, json.Unmarshal(text, &postings))
		default:
			var body struct{ Jobs []map[string]any }
			require.NoError(t, json.Unmarshal(text, &body))
			postings = body.Jobs
		}
		key := strings.Join(parts[:2], ".")
		perBoard[key] = append(perBoard[key], len(postings))
		sizes += len(postings)
	}
	require.Greater(t, len(perBoard), 5)
	require.Greater(t, sizes, 50)
	changing := 0
	for board, list := range perBoard {
		require.Len(t, list, 4, board)
		if list[0] != list[3] {
			changing++
		}
	}
	require.Positive(t, changing)
}
