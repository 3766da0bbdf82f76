package moment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
)

var now = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

// input reads the two parameters as a request does; empty means that it was not sent.
func input(t *testing.T, asOf, knownAt string) (in moment.Input) {
	t.Helper()
	if asOf != "" {
		in.AsOf.Set = true
		require.NoError(t, in.AsOf.Value.UnmarshalText([]byte(asOf)))
	}
	if knownAt != "" {
		in.KnownAt.Set = true
		require.NoError(t, in.KnownAt.Value.UnmarshalText([]byte(knownAt)))
	}
	return in
}

func TestResolve(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, asOf, knownAt string
		day, known          time.Time
	}{
		{name: "neither"},
		{name: "a day", asOf: "2025-06-30", day: time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC)},
		{name: "today", asOf: "2026-11-21", day: now.Truncate(24 * time.Hour)},
		{name: "an instant", knownAt: "2025-07-02T06:00:00Z", known: time.Date(2025, time.July, 2, 6, 0, 0, 0, time.UTC)},
		{name: "an instant of another zone", knownAt: "2025-07-02T06:00:00+02:00", known: time.Date(2025, time.July, 2, 4, 0, 0, 0, time.UTC)},
		{name: "this instant", knownAt: "2026-11-21T12:00:00Z", known: now},
		{name: "a whole day is its end", knownAt: "2025-07-02", known: time.Date(2025, time.July, 2, 23, 59, 59, 999_999_000, time.UTC)},
		{name: "today is what has come of it", knownAt: "2026-11-21", known: now},
		{
			name: "both", asOf: "2025-06-30", knownAt: "2026-11-20",
			day: time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC), known: time.Date(2026, time.November, 20, 23, 59, 59, 999_999_000, time.UTC),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			day, known, err := input(t, c.asOf, c.knownAt).Resolve(clock.Fixed(now))
			require.NoError(t, err)
			require.Equal(t, c.day, day)
			require.Equal(t, c.known, known)
		})
	}
}

// What has not come yet is refused, both parameters at once.
func TestResolveRefusesTheFuture(t *testing.T) {
	t.Parallel()
	const asOf, knownAt = "must not be in the future; today is 2026-11-21 (UTC)", "must not be in the future; now is 2026-11-21T12:00:00Z"
	for _, c := range []struct {
		name, asOf, knownAt string
		want                []apperr.FieldError
	}{
		{"a day", "2026-11-22", "", []apperr.FieldError{{Field: "as_of", Message: asOf}}},
		{"an instant", "", "2026-11-21T12:00:01Z", []apperr.FieldError{{Field: "known_at", Message: knownAt}}},
		{"a whole day", "2026-11-20", "2026-11-22", []apperr.FieldError{{Field: "known_at", Message: knownAt}}},
		{"both", "2026-11-22", "2027-01-01", []apperr.FieldError{{Field: "as_of", Message: asOf}, {Field: "known_at", Message: knownAt}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			day, known, err := input(t, c.asOf, c.knownAt).Resolve(clock.Fixed(now))
			require.Equal(t, apperr.Invalid(c.want...), err)
			require.Zero(t, day)
			require.Zero(t, known)
		})
	}
}

// A whole day counts as its end, to PostgreSQL's smallest step.
func TestWholeDayIsInclusive(t *testing.T) {
	t.Parallel()
	in := moment.Input{KnownAt: httpapi.Some(httpapi.Instant{})}
	require.NoError(t, in.KnownAt.Value.UnmarshalText([]byte("2025-07-02")))
	_, known, err := in.Resolve(clock.Fixed(now))
	require.NoError(t, err)
	next := time.Date(2025, time.July, 3, 0, 0, 0, 0, time.UTC)
	require.True(t, known.Before(next))
	require.Equal(t, time.Microsecond, next.Sub(known))
}
