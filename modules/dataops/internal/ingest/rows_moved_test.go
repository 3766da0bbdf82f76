package ingest_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// altered writes an archive again, under its own name, with the rows of a table changed.
func altered(t *testing.T, archive, table string, alter func(rows [][]string)) string {
	t.Helper()
	return rewritten(t, archive, table, func(rows [][]string) [][]string {
		alter(rows)
		return rows
	})
}

// rewritten writes an archive again, under its own name, with other rows of a table.
func rewritten(t *testing.T, archive, table string, rewrite func(rows [][]string) [][]string) string {
	t.Helper()
	matches := regexp.MustCompile(`(?:^|/)` + table + `_\d`)
	in, err := zip.OpenReader(archive)
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	var b bytes.Buffer
	out, found := zip.NewWriter(&b), false
	for _, f := range in.File {
		src, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(src)
		require.NoError(t, err)
		if matches.MatchString(f.Name) {
			found = true
			r := csv.NewReader(bytes.NewReader(text))
			r.LazyQuotes, r.FieldsPerRecord = true, -1
			rows, err := r.ReadAll()
			require.NoError(t, err)
			var again bytes.Buffer
			require.NoError(t, csv.NewWriter(&again).WriteAll(rewrite(rows)))
			text = again.Bytes()
		}
		dst, err := out.Create(f.Name)
		require.NoError(t, err)
		_, err = dst.Write(text)
		require.NoError(t, err)
	}
	require.NoError(t, out.Close())
	require.True(t, found, table)
	return write(t, t.TempDir(), filepath.Base(archive), b.String())
}

// shift gives each row the value of the row before it in a column.
func shift(column string) func(rows [][]string) {
	return func(rows [][]string) {
		at := slices.Index(rows[0], column)
		last := rows[len(rows)-1][at]
		for _, row := range rows[1:] {
			row[at], last = last, row[at]
		}
	}
}

// each changes the values of a column.
func each(column string, change func(value string) string) func(rows [][]string) {
	return func(rows [][]string) {
		at := slices.Index(rows[0], column)
		for _, row := range rows[1:] {
			row[at] = change(row[at])
		}
	}
}

// An archive in which a table has the numbers of other filings is stopped: its rows would be shown under other advisers.
func TestGateStopsRowsOfOtherFilings(t *testing.T) {
	t.Parallel()
	k, list := newKit(t), months(t)
	k.loaded(list[:secondMarch]...)
	for table, list9 := range map[string]string{
		"ERA_Schedule_D_7B1": "funds of exempt advisers", "IA_Schedule_D_7B1": "funds", "ERA_Schedule_A_B": "owners of exempt advisers", "IA_Schedule_A_B": "owners",
		"IA_Schedule_D_1I": "websites", "ERA_Schedule_D_1I": "websites of exempt advisers", "IA_Schedule_D_1F": "offices", "IA_Schedule_D_7A": "affiliates",
		"IA_1D3_CIK": "identifiers: cik",
	} {
		_, err := k.ingest(altered(t, list[secondMarch], table, shift("FilingID")))
		require.ErrorContains(t, err, list9+": ", table)
	}
}

// exchange gives two columns the values of each other.
func exchange(a, b string) func(rows [][]string) {
	return func(rows [][]string) {
		i, j := slices.Index(rows[0], a), slices.Index(rows[0], b)
		for _, row := range rows[1:] {
			row[i], row[j] = row[j], row[i]
		}
	}
}

func inverted(answer string) string {
	return map[string]string{"Y": "N", "N": "Y"}[answer]
}

// addNeighbors gives every fourth filing the rows of the filing before it as well.
func addNeighbors(rows [][]string) [][]string {
	added := rows[:1:1]
	var own, before [][]string
	filings := 0
	for i, row := range rows[1:] {
		own = append(own, row)
		if i+2 < len(rows) && rows[i+2][0] == row[0] {
			continue
		}
		added = append(added, own...)
		if filings++; filings%4 == 0 {
			for _, other := range before {
				added = append(added, slices.Concat([]string{row[0]}, other[1:]))
			}
		}
		own, before = nil, own
	}
	return added
}

// An archive in which filings also have the rows of others is stopped: none is gone, but people and funds would be shown under other advisers.
func TestGateStopsAddedRows(t *testing.T) {
	t.Parallel()
	k, list := newKit(t), months(t)
	k.loaded(list[:secondMarch]...)
	for table, name := range map[string]string{"IA_Schedule_A_B": "owners", "IA_Schedule_D_7B1": "funds"} {
		_, err := k.ingest(rewritten(t, list[secondMarch], table, addNeighbors))
		require.ErrorContains(t, err, name+": the filings of ", table)
		require.ErrorContains(t, err, "other advisers had", table)
	}
	k.loaded(list[secondMarch])
}

// An archive in which most values of a column are others is stopped: it was shifted, exchanged or written in another unit.
func TestGateStopsChangedValues(t *testing.T) {
	t.Parallel()
	k, list := newKit(t), months(t)
	k.loaded(list[:secondMarch]...)
	thousandth := func(value string) string {
		if len(value) <= 3 {
			return "0"
		}
		return value[:len(value)-3]
	}
	for _, c := range []struct {
		table, field string
		alter        func(rows [][]string)
	}{
		{"IA_ADV_Base_A", "legal_name (", shift("1A")},
		{"IA_ADV_Base_A", "raum (", each("5F2c", thousandth)},
		{"IA_ADV_Base_A", "employee_count (", each("5A", func(string) string { return "0" })},
		{"IA_ADV_Base_A", "crd (", each("1E1", func(crd string) string { return crd + "0" })},
		{"IA_ADV_Base_A", "crd (", each("1E1", func(string) string { return "749096" })},
		{"IA_ADV_Base_A", "city (", shift("1F1-City")},
		{"IA_ADV_Base_A", "raum_discretionary (", func(rows [][]string) {
			a, b := slices.Index(rows[0], "5F2a"), slices.Index(rows[0], "5F2b")
			rows[0][a], rows[0][b] = rows[0][b], rows[0][a]
		}},
		{"IA_Schedule_D_7B1", "gross_asset_value (", each("Gross Asset Value", func(value string) string { return value + "000" })},
		{"ERA_Schedule_D_7B1", "gross_asset_value (", shift("Gross Asset Value")},
		{"IA_Schedule_D_7B1", "name (", shift("Fund Name")},
		{"IA_Schedule_D_7B1", "form_d_file_numbers (", shift("ReferenceID")},
		{"IA_ADV_Base_A", "filings are dated outside", each("DateSubmitted", func(string) string { return "01/01/1970 10:00:00 AM" })},
		{"IA_Schedule_D_7B1A23", "auditors (", each("FilingID", func(id string) string { return id[:len(id)-1] + "0" })},
		{"IA_ADV_Base_A", "employee_count (", shift("5A")},
		{"IA_ADV_Base_A", "country (", exchange("1F1-State", "1F1-Country")},
		{"IA_ADV_Base_A", "advises_funds (", each("7B", func(string) string { return "N" })},
		{"IA_ADV_Base_B", "org_state (", shift("3C-State")},
		{"IA_Schedule_D_7B1", "funds.fund_type (", shift("Fund Type")},
		{"IA_Schedule_D_7B1", "funds.is_master (", exchange("Master Fund", "Feeder Fund")},
		{"IA_Schedule_D_7B1", "funds.is_3c1 (", shift("3(c)(1) Exclusion")},
		{"IA_Schedule_D_7B1", "funds.annual_audit (", each("Annual Audit", inverted)},
		{"IA_Schedule_D_7B1A23", "funds.auditors (", shift("Name of Auditing Firm")},
		{"IA_Schedule_D_7B1A26", "fund_providers.administrator (", shift("Name of Administrator")},
		{"IA_Schedule_A_B", "owners.title (", shift("Title or Status")},
		{"ERA_Schedule_A_B", "owners.acquired (", shift("Status Acquired")},
		{"IA_Schedule_A_B", "owners.ownership_code (", shift("Ownership Code")},
		{"IA_Schedule_A_B", "owners.acquired (", exchange("Status Acquired", "Ownership Code")},
		{"IA_Schedule_A_B", "owners.schedule (", each("Schedule", func(string) string { return "B" })},
		{"IA_Schedule_A_B", "owners.control_person (", each("Control Person", inverted)},
		{"IA_DRP_Regulatory", "disclosures.event_date (", shift("Date Initiated")},
		{"IA_DRP_Regulatory", "disclosures.case_number (", shift("Case Number")},
	} {
		_, err := k.ingest(altered(t, list[secondMarch], c.table, c.alter))
		require.ErrorContains(t, err, c.field, c.table)
		require.ErrorContains(t, err, "values_changed", c.table)
	}
	k.loaded(list[secondMarch])
	require.Zero(t, k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'values_changed' AND resolved_at IS NULL`), "the whole archive closes it")
	_, err := k.ingest(altered(t, list[secondMarch], "IA_Schedule_D_7B1", each("Gross Asset Value", func(value string) string { return value + "0" })))
	require.ErrorContains(t, err, "gross_asset_value (", "filings that were loaded before")
}
