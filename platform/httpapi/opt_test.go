package httpapi_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

type instantInput struct {
	At httpapi.Opt[httpapi.Instant] `query:"at" doc:"An instant."`
}

type instantBody struct {
	At   httpapi.Opt[httpapi.Instant] `query:"at" doc:"An instant."`
	Body word
}

type instantAnswer struct {
	At    string `json:"at"`
	Whole bool   `json:"whole"`
	Set   bool   `json:"set"`
}

func saysInstant(at httpapi.Opt[httpapi.Instant]) *httpapi.Reply[instantAnswer] {
	value, set := at.Get()
	a := instantAnswer{Whole: value.WholeDay, Set: set}
	if set {
		a.At = httpapi.FormatInstant(value.Time)
	}
	return &httpapi.Reply[instantAnswer]{Body: a}
}

// instants is an API whose operations, one for each way to decode, answer with the instant that they were sent.
func instants(t *testing.T) *httpapitest.Host {
	t.Helper()
	return httpapitest.New(t,
		httpapi.Get("/instant", "instant", func(_ context.Context, in *instantInput) (*httpapi.Reply[instantAnswer], error) {
			return saysInstant(in.At), nil
		}),
		httpapi.Post("/instant", "instant-with-body", func(_ context.Context, in *instantBody) (*httpapi.Reply[instantAnswer], error) {
			return saysInstant(in.At), nil
		}))
}

func TestInstant(t *testing.T) {
	t.Parallel()
	h := instants(t)
	for query, want := range map[string]string{
		"":                                  `{"at":"","whole":false,"set":false}`,
		"?at=2026-01-31":                    `{"at":"2026-01-31T23:59:59.999999Z","whole":true,"set":true}`,
		"?at=2024-02-29":                    `{"at":"2024-02-29T23:59:59.999999Z","whole":true,"set":true}`,
		"?at=2025-12-31":                    `{"at":"2025-12-31T23:59:59.999999Z","whole":true,"set":true}`,
		"?at=2026-01-31T06:00:00Z":          `{"at":"2026-01-31T06:00:00.000000Z","whole":false,"set":true}`,
		"?at=2026-01-31T00:00:00Z":          `{"at":"2026-01-31T00:00:00.000000Z","whole":false,"set":true}`,
		"?at=2026-01-31T06:00:00.123456Z":   `{"at":"2026-01-31T06:00:00.123456Z","whole":false,"set":true}`,
		"?at=2026-01-31T01:30:00%2B02:00":   `{"at":"2026-01-30T23:30:00.000000Z","whole":false,"set":true}`,
		"?at=2025-12-31T20:00:00-05:00":     `{"at":"2026-01-01T01:00:00.000000Z","whole":false,"set":true}`,
		"?at=2026%2D01-31T06%3A00%3A00%5A":  `{"at":"2026-01-31T06:00:00.000000Z","whole":false,"set":true}`,
		"?at=2026-03-29T02:30:00.5%2B00:00": `{"at":"2026-03-29T02:30:00.500000Z","whole":false,"set":true}`,
	} {
		h.Do(t, httpapitest.Scenario{Path: "/instant" + query, WantJSON: want})
		h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/instant" + query, Body: `{"word":"x"}`, WantJSON: want})
	}
}

// A bad instant is refused with the whole rule, both ways through.
func TestBadInstant(t *testing.T) {
	t.Parallel()
	h := instants(t)
	const rule = "must be a timestamp such as 2026-01-31T06:00:00Z, or a date such as 2026-01-31"
	for _, bad := range []string{
		"yesterday", "2026-02-30", "2026-1-31", "31.01.2026", "2026-01", "1767225600", "2026-01-31T06:00:00", "2026-01-31T06:00Z",
		"2026-01-31%2006:00:00Z", "2026-01-31T25:00:00Z", "2026-02-30T06:00:00Z", "2026-01-31T06:00:00+02:00", "2026-01-31Z", "%202026-01-31",
	} {
		h.Do(t, httpapitest.Scenario{Path: "/instant?at=" + bad, Status: 400, WantJSON: refusal("at", rule)})
		h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/instant?at=" + bad, Body: `{"word":"x"}`, Status: 400, WantJSON: refusal("at", rule)})
	}
	for _, unset := range []string{"0001-01-01", "0001-01-01T00:00:00Z", "0001-01-01T02:00:00%2B02:00", "0001-01-01T00:00:00.000000Z"} {
		want := refusal("at", "must not be 0001-01-01, which programs send for an unset date; leave it out instead")
		h.Do(t, httpapitest.Scenario{Path: "/instant?at=" + unset, Status: 400, WantJSON: want})
		h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/instant?at=" + unset, Body: `{"word":"x"}`, Status: 400, WantJSON: want})
	}
	h.Do(t, httpapitest.Scenario{Path: "/instant?at=", Status: 400, WantJSON: refusal("at", "must not be empty; leave the parameter out instead")})
	h.Do(t, httpapitest.Scenario{Path: "/instant?at=2026-01-31&at=2026-01-31", Status: 400, WantJSON: refusal("at", "was sent more than once; send it once")})
}

// A day is its last microsecond: a microsecond later is the next day, and PostgreSQL keeps no less.
func TestDayEndsWithItsLastMicrosecond(t *testing.T) {
	t.Parallel()
	first := time.Date(1900, time.January, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		day := first.AddDate(0, 0, rapid.IntRange(0, 100_000).Draw(t, "day"))
		var whole, same httpapi.Instant
		require.NoError(t, whole.UnmarshalText([]byte(day.Format(time.DateOnly))))
		require.True(t, whole.WholeDay)
		require.Equal(t, time.UTC, whole.Location())
		require.Equal(t, day.Format(time.DateOnly), whole.Format(time.DateOnly))
		require.Equal(t, day.AddDate(0, 0, 1), whole.Add(time.Microsecond))
		require.NoError(t, same.UnmarshalText([]byte(whole.Format(time.RFC3339Nano))))
		require.False(t, same.WholeDay, "an instant was sent, if the same one")
		require.Equal(t, whole.Time, same.Time)
	})
}

// What is refused leaves the value as it was.
func TestBadInstantChangesNothing(t *testing.T) {
	t.Parallel()
	at := httpapi.Instant{Time: time.Date(2026, time.January, 31, 6, 0, 0, 0, time.UTC), WholeDay: true}
	old := at
	require.ErrorContains(t, at.UnmarshalText([]byte("soon")), "must be a timestamp such as")
	require.Equal(t, old, at)
}
