package history_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
)

// What a fund's notices said up to a day: a join by number from the day when both the notice and a filing with its number
// were there, a join by name from the day of the notice, as names are known now.
func TestFormDOfAnEarlierDay(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	loader := load.New(db, clock.Fixed(date("2026-11-21")), slog.New(slog.DiscardHandler))
	put := func(doc catalogapi.Document) {
		_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{RunID: 1})
		require.NoError(t, err)
	}
	adv := func(id, on string, numbers ...string) catalogapi.Document {
		var given []*catalogapi.FormDRow
		for _, n := range numbers {
			given = append(given, &catalogapi.FormDRow{FilingKey: id, ReferenceID: "a", FileNumber: n})
		}
		return catalogapi.Document{
			Name: id, Source: catalogapi.SourceADVArchive,
			Filings: itertest.Rows(&catalogapi.AdviserFiling{
				Key: id, FilingID: id, CRD: "900011", Submitted: date(on),
				Statement:   catalogapi.Statement{LegalName: "Larkspur LLC"},
				FundsListed: true,
			}),
			Funds: itertest.Rows(
				&catalogapi.FundRow{FilingKey: id, ReferenceID: "a", FundID: "805-0000000101", Name: "Larkspur Growth I LP"},
				&catalogapi.FundRow{FilingKey: id, ReferenceID: "b", FundID: "805-0000000102", Name: "Larkspur Growth II LP"},
			),
			FormDNumbers: itertest.Rows(given...),
		}
	}
	put(adv("1", "2016-03-01"))
	put(adv("2", "2020-03-01", "021-1"))
	notice := func(id, number, form, on, issuer string, first time.Time, code string) catalogapi.Document {
		return catalogapi.Document{
			Name: id, Source: catalogapi.SourceFormD,
			Offerings: itertest.Rows(&catalogapi.OfferingRow{Accession: id, FileNumber: number, Form: form, Filed: date(on), FirstSale: first, Exemptions: []string{code}, FundType: "Hedge Fund"}),
			Issuers:   itertest.Rows(&catalogapi.IssuerRow{Accession: id, Seq: 1, Name: issuer}),
		}
	}
	put(notice("0009999999-14-000001", "021-1", "D", "2014-02-03", "Mossgate One LP", date("2014-01-02"), "06b"))
	put(notice("0009999999-22-000001", "021-1", "D/A", "2022-02-03", "Mossgate One LP", date("2013-12-02"), "06c"))
	put(notice("0009999999-18-000001", "021-2", "D", "2018-02-03", "Larkspur Growth II, L.P.", date("2018-02-01"), "06c"))

	store := history.NewStore(db)
	type said struct {
		Exemptions []string
		Vintage    int64
		Quality    catalogapi.VintageQuality
	}
	for _, c := range []struct {
		fund, day string
		want      said
	}{
		{"805-0000000101", "2016-03-01", said{nil, 2016, "first_filing"}},
		{"805-0000000101", "2020-02-28", said{nil, 2016, "first_filing"}},
		{"805-0000000101", "2020-03-01", said{[]string{"506b"}, 2014, "form_d"}},
		{"805-0000000101", "2022-02-03", said{[]string{"506c"}, 2013, "form_d"}},
		{"805-0000000102", "2018-02-02", said{nil, 2016, "first_filing"}},
		{"805-0000000102", "2018-02-03", said{[]string{"506c"}, 2018, "form_d"}},
		{"805-0000000102", "2026-11-21", said{[]string{"506c"}, 2018, "form_d"}},
	} {
		current, err := store.FindFund(t.Context(), c.fund, 0)
		require.NoError(t, err)
		got, err := fundAsOf(t, store, current, date(c.day))
		require.NoError(t, err)
		require.Equal(t, c.want, said{got.Exemptions, got.VintageYear, got.VintageQuality}, "%s on %s", c.fund, c.day)
	}
	adviser, err := store.FindAdviser(t.Context(), "900011")
	require.NoError(t, err)
	require.Equal(t, int64(2013), *adviser.FoundedYear)
	then, err := adviserAsOf(t, store, adviser, date("2020-03-01"))
	require.NoError(t, err)
	require.Equal(t, int64(2014), *then.FoundedYear, "the oldest vintage of that day")

	for accession, want := range map[string]string{
		"0009999999-22-000001": "Filing 0009999999-22-000001 is a Form D notice. It has no place among the filings of GP 900011; ask for its day, 2022-02-03",
		"0009999999-22-000009": "Filing 0009999999-22-000009 of GP 900011 not found",
	} {
		_, err := store.AdviserAt(t.Context(), adviser, history.AsOf{Point: catalogapi.Point{Accession: accession}})
		require.EqualError(t, err, want)
	}
}
