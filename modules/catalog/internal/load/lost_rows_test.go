package load_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// Rows that a filing lacks and the filing before had are counted, whatever new ones it has. A list whose table is missing lacks none.
func TestLostRows(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	edition := func(id, date string, from, to int) document {
		d := archive(date+".zip", filing(id, "7001", date, "ALDER POINT LLC"))
		d.owners, d.disclosures = []*catalogapi.OwnerRow{}, []*catalogapi.DisclosureRow{}
		for n := from; n < to; n++ {
			d.owners = append(d.owners, owner(id, fmt.Sprint("OWNER ", n)))
			d.funds = append(d.funds, fund(id, fmt.Sprintf("%010d", n), fmt.Sprint("Alder ", n), 1e8))
			d.disclosures = append(d.disclosures, &catalogapi.DisclosureRow{
				FilingKey: id, Family: catalogapi.DisclosureRegulatory, ReferenceID: strconv.Itoa(n), File: "drp.csv", Line: 2,
			})
		}
		return d
	}
	lost := func(d document) (found []catalogapi.LostRows) {
		b.run++
		_, err := b.loader.LoadDocument(t.Context(), d.stream(), catalogapi.LoadOptions{
			RunID: b.run, Accept: func(_ context.Context, s catalogapi.Staged) error { found = s.Lost; return nil },
		})
		require.NoError(t, err)
		return found
	}
	require.Empty(t, lost(edition("1", "2025-05-03", 1, 11)), "the catalog is empty")
	require.ElementsMatch(t, []catalogapi.LostRows{
		{CRD: "7001", List: catalogapi.TableOwners, Had: 10, Gone: 3}, {CRD: "7001", List: catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureRegulatory), Had: 10, Gone: 3}, {CRD: "7001", List: "funds", Had: 10, Gone: 3},
	}, lost(edition("2", "2025-06-03", 4, 20)))
	without := edition("3", "2025-07-03", 4, 8)
	without.owners, without.funds = nil, nil
	without.filings[0].FundsListed, without.filings[0].Silent = false, []string{catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureRegulatory)}
	require.Empty(t, lost(without))
	require.Empty(t, lost(edition("4", "2025-05-01", 1, 2)), "before all")
	again := lost(edition("2", "2025-06-03", 6, 30))
	require.Len(t, again, 3)
	for _, l := range again {
		require.True(t, l.Again, "the same filing")
		require.Equal(t, []int64{16, 2}, []int64{l.Had, l.Gone}, l.List)
	}
	lost(edition("5", "2025-08-03", 6, 10))
	other := edition("6", "2025-09-03", 6, 10)
	other.filings = append(other.filings, filing("7", "7002", "2025-09-04", "BIRCH POINT LLC"))
	for _, of := range other.owners {
		of.FilingKey = "7"
	}
	exchanged := slices.DeleteFunc(lost(other), func(l catalogapi.LostRows) bool { return l.Gone == 0 })
	require.Equal(t, []catalogapi.LostRows{{CRD: "7001", List: catalogapi.TableOwners, Had: 4, Gone: 4, Elsewhere: 4}}, exchanged, "owners under another adviser")
	added := edition("8", "2025-10-03", 6, 10)
	added.filings = append(added.filings, filing("9", "7002", "2025-10-04", "BIRCH POINT LLC"))
	added.owners = nil
	for n := 6; n < 10; n++ {
		added.owners = append(added.owners, owner("8", fmt.Sprint("OWNER ", n)), owner("9", fmt.Sprint("OWNER ", n)))
	}
	taken := slices.DeleteFunc(lost(added), func(l catalogapi.LostRows) bool { return l.Taken == 0 })
	require.Equal(t, []catalogapi.LostRows{{CRD: "7001", List: catalogapi.TableOwners, Taken: 4}}, taken, "they were those of 7002 before, who keeps them")
}
