package load_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// changes loads a set of notices, and returns how many values of each field that has other values differ, of how many.
func (b *bench) changes(n notices) map[string]string {
	b.t.Helper()
	found := map[string]string{}
	_, err := b.loader.LoadDocument(b.t.Context(), n.stream(), catalogapi.LoadOptions{Accept: func(_ context.Context, s catalogapi.Staged) error {
		for _, c := range s.Changed {
			if c.Changed > 0 {
				found[c.Field] = strconv.FormatInt(c.Changed, 10) + " of " + strconv.FormatInt(c.Compared, 10)
			}
		}
		return nil
	}})
	require.NoError(b.t, err)
	return found
}

// Notices are compared with an earlier edition of the same notice, and otherwise with the last one of their file number or the one that they
// amend.
func TestChangedNotices(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-01-02", "ALDER POINT LLC", f1, "ALDER FUND I LP"))
	of := func(cik string) func(*catalogapi.OfferingRow, *catalogapi.IssuerRow) {
		return func(_ *catalogapi.OfferingRow, i *catalogapi.IssuerRow) { i.CIK = cik }
	}
	amount := func(offered, sold int64) func(*catalogapi.OfferingRow, *catalogapi.IssuerRow) {
		return func(o *catalogapi.OfferingRow, _ *catalogapi.IssuerRow) {
			o.OfferingAmount, o.AmountSold = &offered, &sold
		}
	}
	require.Empty(t, b.changes(several(
		notice(1, "021-1", "2025-02-01", "ALDER FUND I LP", of("1")), notice(2, "021-2", "2025-02-01", "ROWAN FUND LP", of("2"), amount(10, 0)),
		notice(3, "021-3", "2025-02-01", "QUILL FUND LP", of("3")))))

	amended := []notices{
		notice(11, "021-1", "2025-05-01", "Alder Fund I, L.P.", of("1"), amends(0), sold("2025-02-01")),
		notice(12, "021-2", "2025-05-01", "ROWAN FUND LP", of("2"), amends(0), sold("2025-02-01"), amount(10, 9)),
		notice(13, "021-3", "2025-05-01", "QUILL FUND LP", of("3"), amends(3), sold("2025-02-01")),
	}
	require.Empty(t, b.changes(several(amended...)))

	shifted := several(
		notice(21, "021-1", "2025-08-01", "ROWAN FUND LP", of("2"), amends(11), sold("2025-02-01")),
		notice(22, "021-2", "2025-08-01", "ROWAN FUND LP", of("2"), amends(12), sold("2025-02-02"), amount(10_000, 9_000)),
		notice(23, "021-9", "2025-08-01", "QUILL FEEDER LP", of("3"), amends(13), sold("2025-02-01"), from("MIAMI", "FL")))
	require.Equal(t, map[string]string{
		"notices.issuers": "1 of 3", "notices.first_sale": "1 of 3", "notices.offering_amount": "1 of 3", "notices.amount_sold": "1 of 3",
		"notices.file_number": "1 of 3", "issuers.name": "1 of 2", "issuers.city": "1 of 2", "issuers.state": "1 of 2",
	}, b.changes(shifted))

	for i := range amended {
		amended[i].issuers[0].CIK = amended[(i+1)%3].issuers[0].CIK
	}
	require.Equal(t, map[string]string{"notices.issuers": "3 of 3", "restated notices.issuers": "3 of 3"}, b.changes(several(amended...)), "the same notices with exchanged issuers")
}

// A notice never changes, so each other value of a notice that is loaded again counts, among all that the catalog has of the set. Null is another value.
func TestRestatedNotices(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-01-02", "ALDER POINT LLC", f1, "ALDER FUND I LP"))
	set := func(offered *int64) notices {
		all := make([]notices, 0, 3)
		for i, name := range []string{"ALDER FUND I LP", "ROWAN FUND LP", "QUILL FUND LP"} {
			n := strconv.Itoa(i + 1)
			all = append(all, notice(i+1, "021-"+n, "2025-02-01", name, func(o *catalogapi.OfferingRow, r *catalogapi.IssuerRow) {
				if r.CIK = n; i > 0 {
					o.OfferingAmount = offered
				}
			}))
		}
		return several(all...)
	}
	require.Empty(t, b.changes(set(new(int64(10)))))
	require.Equal(t, map[string]string{"restated notices.offering_amount": "2 of 3"}, b.changes(set(new(int64(11)))))
	require.Equal(t, map[string]string{"restated notices.offering_amount": "2 of 3"}, b.changes(set(nil)))
	require.Empty(t, b.changes(set(new(int64(11)))), "before, the amount was not stated")
}

// The issuers of a notice never change, nor does any figure that answers show.
func TestRestatedIssuersAndFigures(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-01-02", "ALDER POINT LLC", f1, "ALDER FUND I LP"))
	var ciks [3]string
	var other func(*catalogapi.OfferingRow)
	set := func() notices {
		all := make([]notices, 0, 3)
		for i, name := range []string{"ALDER FUND I LP", "ROWAN FUND LP", "QUILL FUND LP"} {
			all = append(all, notice(i+1, "021-"+strconv.Itoa(i+1), "2025-02-01", name, func(o *catalogapi.OfferingRow, r *catalogapi.IssuerRow) {
				r.CIK, o.SalesCommission, o.FindersFee, o.GrossProceeds, o.NonAccreditedNum = ciks[i], new(int64(0)), new(int64(0)), new(int64(0)), new(int64(0))
				o.YetToOccur, o.OverOneYear, o.Securities = new(false), new(false), []string{"equity"}
				if other != nil && i == 1 {
					other(o)
				}
			}))
		}
		return several(all...)
	}
	ciks = [3]string{"1", "2", "3"}
	require.Empty(t, b.changes(set()))
	for field, change := range map[string]func(*catalogapi.OfferingRow){
		"sales_commission":     func(o *catalogapi.OfferingRow) { o.SalesCommission = new(int64(4_125_000)) },
		"finders_fee":          func(o *catalogapi.OfferingRow) { o.FindersFee = new(int64(1)) },
		"gross_proceeds":       func(o *catalogapi.OfferingRow) { o.GrossProceeds = new(int64(1)) },
		"non_accredited_count": func(o *catalogapi.OfferingRow) { o.NonAccreditedNum = new(int64(1)) },
		"yet_to_occur":         func(o *catalogapi.OfferingRow) { o.YetToOccur = new(true) },
		"over_one_year":        func(o *catalogapi.OfferingRow) { o.OverOneYear = new(true) },
		"securities":           func(o *catalogapi.OfferingRow) { o.Securities = []string{"debt"} },
		"indefinite":           func(o *catalogapi.OfferingRow) { o.Indefinite = true },
	} {
		other = change
		require.Equal(t, map[string]string{"restated notices." + field: "1 of 3"}, b.changes(set()), field)
		other = nil
		b.changes(set())
	}
	ciks[1] = "9"
	require.Equal(t, map[string]string{"notices.issuers": "1 of 1", "restated notices.issuers": "1 of 3"}, b.changes(set()))
	two := set()
	second := *two.issuers[0]
	second.Seq, second.CIK, second.Name = 2, "11", "ALDER FUND II LP"
	two.issuers = append(two.issuers, &second)
	require.Equal(t, map[string]string{"restated notices.issuers": "1 of 3"}, b.changes(two), "one issuer more")
}
