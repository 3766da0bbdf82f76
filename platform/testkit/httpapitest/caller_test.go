package httpapitest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

// Each scenario's caller is its own, however many run at once; the next request is nobody's again.
func TestCallersAreNotConfused(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t, httpapi.Post("/me", "me", func(ctx context.Context, _ *struct {
		Body struct {
			Word string `json:"word"`
		}
	},
	) (*httpapi.Reply[map[string]string], error) {
		return &httpapi.Reply[map[string]string]{Body: map[string]string{"session": auth.From(ctx).SessionID}}, nil
	}))
	var scenarios []httpapitest.Scenario
	for _, id := range []string{"sess_a", "sess_b", "sess_c", "sess_d"} {
		scenarios = append(scenarios,
			httpapitest.Scenario{Name: id, Method: "POST", Path: "/me", Body: `{"word":"x"}`, As: &auth.Principal{Kind: auth.Session, SessionID: id}, WantJSON: `{"session":"` + id + `"}`},
			httpapitest.Scenario{Name: "nobody after " + id, Method: "POST", Path: "/me", Body: `{"word":"x"}`, WantJSON: `{"session":""}`})
	}
	h.Run(t, scenarios)
}

// mute is a test that may fail without the run's failing.
type mute struct {
	testing.TB
	failed bool
}

func (m *mute) Helper()               {}
func (m *mute) Errorf(string, ...any) { m.failed = true }
func (m *mute) FailNow()              { panic(m) }

// A host that cannot pass the caller on says so, instead of testing as nobody.
func TestCallerNeedsAHostThatKnowsIt(t *testing.T) {
	t.Parallel()
	known := httpapitest.New(t, httpapi.Get("/a", "a", func(context.Context, *struct{}) (*httpapi.Reply[struct{}], error) {
		return &httpapi.Reply[struct{}]{}, nil
	}))
	bare, m := &httpapitest.Host{App: known.App, API: known.API}, &mute{TB: t}
	require.PanicsWithValue(t, m, func() { bare.Do(m, httpapitest.Scenario{Path: "/a", As: &auth.Principal{}}) })
	require.True(t, m.failed)
	known.Do(t, httpapitest.Scenario{Path: "/a", As: &auth.Principal{}})
}
