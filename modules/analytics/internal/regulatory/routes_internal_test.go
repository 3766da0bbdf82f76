package regulatory

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

// fixed is a provider with one answer.
type fixed struct{ answer Answer }

func (fixed) Name() string                                     { return sourceFilings }
func (fixed) Edition(context.Context, string) (string, error)  { return "", nil }
func (f fixed) Events(context.Context, string) (Answer, error) { return f.answer, nil }

// Guarantee: only an answer with events, or with a count of events, is charged; one whose events the parameters leave out is not.
func TestFree(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	_, err := catalogtest.NewLoader(db, clocktest.New(time.Time{})).LoadDocument(t.Context(), catalogapi.Document{
		Name: "a.zip", Source: catalogapi.SourceADVArchive,
		Filings: func(yield func(*catalogapi.AdviserFiling, error) bool) {
			yield(&catalogapi.AdviserFiling{
				Key: "1", FilingID: "1", CRD: "900001", Submitted: time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC),
				Statement: catalogapi.Statement{LegalName: "Harbor Ridge", Country: new("United States")},
				Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
			}, nil)
		},
	}, catalogapi.LoadOptions{RunID: 1, Reject: func(catalogapi.Rejected) {}})
	require.NoError(t, err)
	s := NewService(NewStore(db), []Provider{fixed{Answer{Events: []Event{{EventID: "a", EventType: Civil}}}}}, clocktest.New(time.Time{}), slog.New(slog.DiscardHandler))
	in := &ListInput{GPPath: catalogapi.GPPath{CRD: "900001"}}
	reply, err := s.handleList(t.Context(), in)
	require.NoError(t, err)
	require.False(t, reply.Free)
	in.EventType = httpapi.Some("criminal")
	reply, err = s.handleList(t.Context(), in)
	require.NoError(t, err)
	require.True(t, reply.Free)
	s = NewService(NewStore(db), []Provider{fixed{Answer{NotItemized: []NotItemized{{Source: sourceSearch}}}}}, clocktest.New(time.Time{}), slog.New(slog.DiscardHandler))
	in.ForceRefresh = httpapi.Some(true)
	reply, err = s.handleList(t.Context(), in)
	require.NoError(t, err)
	require.Len(t, reply.Body.Data.NotItemized, 1)
	require.False(t, reply.Free, "the count is sold too")
}
