package person_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/person"
)

func TestDatesOf(t *testing.T) {
	t.Parallel()
	for known, want := range map[string][2]string{"2010": {"2010-01-01", "year"}, "2010-08": {"2010-08-01", "month"}, "2010-08-31": {"2010-08-31", "day"}} {
		d := person.DatesOf(known, known)
		require.Equal(t, want, [2]string{*d.From, *d.FromPrecision})
		require.Equal(t, want, [2]string{*d.To, *d.ToPrecision})
	}
	require.Zero(t, person.DatesOf("", "2010-13"))
}
