package load_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// V51: a fund is closed since the first list after the newest one that names it, whatever the order in which the lists arrive: in their order, with
// one that comes late, or with one that opens the fund again. Each manager files the same four lists, in an order of its own.
func TestClosingDayInAnyOrder(t *testing.T) {
	t.Parallel()
	days := []string{"2023-03-01", "2024-03-01", "2025-03-01", "2026-03-01"}
	b := newBench(t)
	type manager struct {
		crd   string
		names string // for each day, Y if the list of that day names the fund
		order []int
	}
	var managers []manager
	for _, names := range []string{"YYNN", "YNYN", "YNNY"} {
		for _, order := range allOrders([]int{0, 1, 2, 3}) {
			managers = append(managers, manager{strconv.Itoa(7001 + len(managers)), names, order})
		}
	}
	require.Len(t, managers, 72)
	for arrival := range days {
		d := archive(fmt.Sprintf("%d.zip", arrival))
		want := [][]string{}
		for i, m := range managers {
			n := m.order[arrival]
			key, id := fmt.Sprintf("%d%d", 1+n, 1000+i), fmt.Sprintf("%010d", 1+i)
			d.filings = append(d.filings, filing(key, m.crd, days[n], "ALDER POINT LLC"))
			if m.names[n] == 'Y' {
				d.funds = append(d.funds, fund(key, id, "Alder I", 1e8))
			}
			status, since := expected(m.names, days, m.order[:1+arrival])
			if status != "" {
				want = append(want, []string{m.crd, status, since})
			}
		}
		b.load(d)
		require.Empty(t, b.rejected)
		require.Equal(t, want, b.rows(`SELECT adviser_crd, status, closed_on::text FROM catalog.funds ORDER BY adviser_crd`), "after %d lists", 1+arrival)
	}
}

// expected is the state of the fund once the lists of these days are known; no status if none of them names it.
func expected(names string, days []string, known []int) (status, since string) {
	status, since = "", "∅"
	for n := range days {
		switch {
		case !slices.Contains(known, n):
		case names[n] == 'Y':
			status, since = string(catalogapi.FundActive), "∅"
		case status == string(catalogapi.FundActive):
			status, since = string(catalogapi.FundClosed), days[n]
		}
	}
	return status, since
}

func allOrders(of []int) (out [][]int) {
	if len(of) == 0 {
		return [][]int{nil}
	}
	for i, first := range of {
		for _, rest := range allOrders(slices.Concat(of[:i], of[i+1:])) {
			out = append(out, append([]int{first}, rest...))
		}
	}
	return out
}
