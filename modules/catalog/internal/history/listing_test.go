package history_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/itertest"
)

// edition is a whole edition of a list of advisers, each last filed in 2012.
func edition(list, day string, crds ...string) catalogapi.Document {
	var rows []*catalogapi.AdviserFiling
	for i, crd := range crds {
		rows = append(rows, &catalogapi.AdviserFiling{
			Key: crd, CRD: crd, Submitted: date("2012-01-05"),
			Statement: catalogapi.Statement{
				LegalName: "Zinnia " + crd + " LLC", City: new("Boston"), State: new("MA"), Country: new("United States"),
			},
			Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
			File:  "f", Line: i + 1,
		})
	}
	return catalogapi.Document{
		Name: list + day, Source: catalogapi.SourceRoster, Filings: itertest.Rows(rows...),
		List: list, Edition: func() time.Time { return date(day) },
	}
}

// An edition more than a year older than the one that dropped an adviser vouches for nobody, also where a later edition of
// its list, from after the day that is asked for, names the adviser again.
func TestAnOldListDoesNotVouchLater(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	store := history.NewStore(c.DB)
	c.Add(t, edition("iapd_feed", "2013-01-29", "900301"))
	c.Add(t, edition("roster", "2014-03-29", "900301", "900302"))
	c.Add(t, edition("roster", "2014-07-28", "900302"))
	current, err := store.FindAdviser(t.Context(), "900301")
	require.NoError(t, err)
	require.NotNil(t, current.NotListedSince)
	c.Add(t, edition("iapd_feed", "2015-07-23", "900301"))
	for day, want := range map[string]*time.Time{
		"2014-03-29": nil, "2014-07-27": nil, "2014-07-28": current.NotListedSince, "2015-07-22": current.NotListedSince, "2015-07-23": nil,
	} {
		got, err := adviserAsOf(t, store, current, date(day))
		require.NoError(t, err)
		require.Equal(t, want, got.NotListedSince, day)
	}
}

// Whom a list has dropped stays dropped at an instant, also when an edition of before is loaded later.
func TestAnEarlierEditionThatComesLaterChangesNoInstant(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	store := history.NewStore(c.DB)
	c.Add(t, edition("roster", "2014-03-29", "900301", "900302"))
	c.Add(t, edition("roster", "2014-07-28", "900302"))
	var instant time.Time
	require.NoError(t, c.DB.From(t.Context()).Raw("SELECT clock_timestamp()").Scan(&instant).Error)
	c.Add(t, edition("roster", "2013-12-30", "900301"))
	current, err := store.FindAdviser(t.Context(), "900301")
	require.NoError(t, err)
	got, err := store.AdviserAt(t.Context(), current, history.AsOf{Point: catalogapi.Point{Moment: catalogapi.Moment{Known: instant}}, Today: instant})
	require.NoError(t, err)
	require.NotNil(t, got.NotListedSince)
	require.Equal(t, "2014-07-28", got.NotListedSince.Format(time.DateOnly))
}
