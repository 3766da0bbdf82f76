package gp_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/platform/testkit/realdata"
)

// rosterIndex is the index over two real rosters, of registered and of exempt advisers, when the folder of real files is
// there. Its firms are named by their CRD alone: neither the tests nor their logs show a name.
func rosterIndex(t *testing.T) *index.Snapshot {
	t.Helper()
	registered, exempt := realdata.File(t, "sec-roster/sec_advisers.csv"), realdata.File(t, "sec-roster/ia070124-exempt.xlsx")
	rosters.Do(func() { rosters.index, rosters.err = indexRosters(registered, exempt) })
	require.NoError(t, rosters.err)
	return rosters.index
}

// rosters is read once for all tests.
var rosters struct {
	sync.Once

	index *index.Snapshot
	err   error
}

func indexRosters(registeredPath, exemptPath string) (*index.Snapshot, error) {
	registered, err := csvRows(registeredPath)
	if err != nil {
		return nil, err
	}
	exempt, err := xlsxRows(exemptPath)
	if err != nil {
		return nil, err
	}
	var gps []index.GP
	listed := map[string]bool{}
	for _, rows := range [][][]string{registered, exempt} {
		for _, row := range rows[1:] {
			if gp := rosterGP(rows[0], row); gp.CRD != "" && !listed[gp.CRD] {
				listed[gp.CRD] = true
				gps = append(gps, gp)
			}
		}
	}
	if len(gps) < 20_000 {
		return nil, fmt.Errorf("the rosters have only %d advisers", len(gps))
	}
	return index.Build(gps, nil, index.Freshness{}), nil
}

func csvRows(path string) ([][]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	r := csv.NewReader(file)
	r.LazyQuotes, r.FieldsPerRecord = true, -1
	return r.ReadAll()
}

func xlsxRows(path string) ([][]string, error) {
	book, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = book.Close() }()
	return book.GetRows(book.GetSheetName(0))
}

func rosterGP(header, row []string) index.GP {
	column := func(name string) string {
		if i := slices.Index(header, name); i >= 0 && i < len(row) {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	gp := index.GP{
		CRD: column("Organization CRD#"), LegalName: column("Legal Name"), BusinessName: column("Primary Business Name"),
		City: column("Main Office City"), State: column("Main Office State"), TotalAUM: index.Unknown,
		Employees: index.Unknown, FundCount: index.Unknown, TotalGAV: index.Unknown, Investors: index.Unknown, FoundedYear: index.Unknown,
	}
	amount, _, _ := strings.Cut(strings.ReplaceAll(column("5F(2)(c)"), ",", ""), ".")
	if v, err := strconv.ParseInt(strings.TrimSpace(amount), 10, 64); err == nil {
		gp.TotalAUM = v
	}
	return gp
}

// found is the place of an adviser among the results of a text, from 0, or -1.
func found(s *index.Snapshot, query, crd string) int {
	r := s.SearchGPs(&index.GPQuery{Text: query, Order: index.ByRelevance, Limit: 100})
	return slices.IndexFunc(r.IDs, func(id uint32) bool { return s.GP(id).CRD == crd })
}

func TestRelevanceOnARealRoster(t *testing.T) {
	t.Parallel()
	s := rosterIndex(t)
	names := map[string]int{} // how many advisers bear a normalized name
	for id := range uint32(s.Freshness().Advisers) {
		names[text.Normalize(s.GP(id).LegalName)]++
	}
	checked := 0
	for id := uint32(0); int(id) < s.Freshness().Advisers; id += 37 {
		g := s.GP(id)
		words := text.Words(g.LegalName)
		if len(words) < 3 || names[strings.Join(words, " ")] > 1 {
			continue
		}
		checked++
		first := found(s, g.LegalName, g.CRD)
		require.True(t, first == 0 || first > 0 && first < 5, "CRD %s by its full name: %d", g.CRD, first) // a DBA of others may be the same
		reversed := slices.Clone(words)
		slices.Reverse(reversed)
		require.GreaterOrEqual(t, found(s, strings.Join(reversed, " "), g.CRD), 0, "CRD %s by its words in reverse", g.CRD)
		longest := slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
		if len(longest) < 7 {
			continue
		}
		swapped := longest[:3] + longest[4:5] + longest[3:4] + longest[5:]
		mistyped := strings.Replace(strings.Join(words, " "), longest, swapped, 1)
		require.GreaterOrEqual(t, found(s, mistyped, g.CRD), 0, "CRD %s with two letters swapped", g.CRD)
		if city := text.Normalize(g.City); city != "" {
			require.GreaterOrEqual(t, found(s, strings.Join(words, " ")+" "+city, g.CRD), 0, "CRD %s by name and city", g.CRD)
		}
	}
	require.Greater(t, checked, 200)
	for _, crd := range []string{"38", "104559", "105958", "106176", "107488"} {
		id, ok := s.FindGP(crd)
		if !ok {
			continue
		}
		require.Zero(t, found(s, s.GP(id).LegalName, crd), "CRD %s by its full name", crd)
	}
}
