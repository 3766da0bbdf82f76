package past

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// Guarantee: all instants between two changes have one AsOf, so that known_at=now builds nothing and is not built anew with
// every question.
func TestCutAt(t *testing.T) {
	t.Parallel()
	hour := func(h int) time.Time { return today.Add(time.Duration(h-48) * time.Hour) } // of the day before yesterday
	day := func(d int) time.Time { return today.AddDate(0, 0, d) }
	w := newWorks(nil)
	processed := func(h int) time.Time { return hour(h).Add(-time.Minute) } // a load takes a minute
	w.changes = changes{at: hour(40), newest: 3}
	for _, h := range []int{2, 4, 30} {
		w.changes.all = append(w.changes.all, change{hour(h), processed(h)})
	}
	for _, c := range []struct {
		name string
		at   catalogapi.Moment
		asOf AsOf
	}{
		{"nothing", catalogapi.Moment{}, AsOf{}},
		{"a day", catalogapi.Moment{Day: day(-9)}, AsOf{Filed: day(-9)}},
		{"a day and an hour", catalogapi.Moment{Day: day(-9).Add(time.Hour)}, AsOf{Filed: day(-9)}},
		{"today", catalogapi.Moment{Day: today}, AsOf{}},
		{"after the last change", catalogapi.Moment{Known: hour(31)}, AsOf{}},
		{"at the last change", catalogapi.Moment{Known: hour(30)}, AsOf{}},
		{"a day, after the last change", catalogapi.Moment{Day: day(-9), Known: hour(40)}, AsOf{Filed: day(-9)}},
		{"at a change", catalogapi.Moment{Known: hour(4)}, AsOf{Known: processed(4)}},
		{"after it", catalogapi.Moment{Known: hour(29)}, AsOf{Known: processed(4)}},
		{"just before it", catalogapi.Moment{Known: hour(4).Add(-1)}, AsOf{Known: processed(2)}},
		{"in another zone", catalogapi.Moment{Known: hour(5).In(time.FixedZone("", 3600))}, AsOf{Known: processed(4)}},
		{"before all", catalogapi.Moment{Known: hour(1)}, AsOf{Known: processed(2).Add(-time.Second)}},
		{"today, at a change", catalogapi.Moment{Day: today, Known: hour(4)}, AsOf{Known: processed(4)}},
		{"both", catalogapi.Moment{Day: day(-9), Known: hour(5)}, AsOf{Filed: day(-9), Known: processed(4)}},
	} {
		asOf, err := w.asOfMoment(t.Context(), c.at, 3)
		require.NoError(t, err, c.name)
		require.Equal(t, c.asOf, asOf, c.name)
	}
	w.changes.newest = 4 // and the index in use is of publication 3
	asOf, err := w.asOfMoment(t.Context(), catalogapi.Moment{Known: hour(31)}, 3)
	require.NoError(t, err)
	require.Equal(t, AsOf{Known: processed(30)}, asOf, "the index in use lacks the last change")
}
