package savedsearch_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/savedsearch"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

const path = "/v1/me/searches"

// bench is the operations over three GPs: two in Boston, one of them large.
type bench struct {
	*sessiontest.Bench
	host       *httpapitest.Host
	service    *savedsearch.Service
	searcher   catalogapi.GPSearcher
	ada, grace *auth.Principal
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: sessiontest.New(t)}
	filing := func(crd, name, city string, aum int64) *catalogapi.AdviserFiling {
		return &catalogapi.AdviserFiling{
			Key: crd, FilingID: crd[3:], CRD: crd, Submitted: time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC),
			Statement: catalogapi.Statement{
				LegalName: name, City: catalogapi.Text(city), State: new("MA"), Country: new("United States"), RAUM: &aum,
			},
			Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true,
		}
	}
	_, err := catalogtest.NewLoader(b.DB, b.Clock).LoadDocument(t.Context(), catalogapi.Document{
		Name: "ADV_Filing_Data.zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(
			filing("900001", "Harbor Ridge & Co. LLC", "Boston", 2_500_000_000), filing("900002", "Mossgate Ventures LLC", "Boston", 90_000_000),
			filing("900003", "Larkspur Hollow LLC", "Salem", 600_000_000)),
	}, catalogapi.LoadOptions{RunID: 1, Reject: func(r catalogapi.Rejected) { require.Fail(t, "the fixture has a bad row", "%+v", r) }})
	require.NoError(t, err)
	searcher, err := catalogtest.NewSearcher(t.Context(), b.DB, b.Clock)
	require.NoError(t, err)
	b.ada = &auth.Principal{Kind: auth.Session, UserID: b.MakeUser(t, "ada@larkspur.example").ID}
	b.grace = &auth.Principal{Kind: auth.Session, UserID: b.MakeUser(t, "grace@mossgate.example").ID}
	b.searcher, b.service = searcher, savedsearch.NewService(b.DB, b.Clock, searcher)
	b.host = httpapitest.New(t, savedsearch.Routes(b.service)...)
	return b
}

// save saves a search and gives its id.
func (b *bench) save(t *testing.T, as *auth.Principal, name, filters string) string {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, As: as, Body: `{"name":"` + name + `","filters":` + filters + `}`, Status: http.StatusCreated})
	var answer struct{ Data savedsearch.Search }
	require.NoError(t, json.Unmarshal([]byte(got.Body), &answer))
	require.Equal(t, path+"/"+answer.Data.ID, got.Header.Get("Location"))
	return answer.Data.ID
}

// get gives one search as it stands.
func (b *bench) get(t *testing.T, as *auth.Principal, id string) savedsearch.Search {
	t.Helper()
	var answer struct{ Data savedsearch.Search }
	require.NoError(t, json.Unmarshal([]byte(b.host.Do(t, httpapitest.Scenario{Path: path + "/" + id, As: as}).Body), &answer))
	return answer.Data
}

// run runs a search and gives the CRDs that it lists, less their beginning, and the answer's meta.
func (b *bench) run(t *testing.T, as *auth.Principal, id, query string) (string, savedsearch.RunMeta) {
	t.Helper()
	var answer struct {
		Data []struct{ CRD string }
		Meta savedsearch.RunMeta
	}
	require.NoError(t, json.Unmarshal([]byte(b.host.Do(t, httpapitest.Scenario{Path: path + "/" + id + "/run" + query, As: as}).Body), &answer))
	var crds []string
	for _, gp := range answer.Data {
		crds = append(crds, strings.TrimPrefix(gp.CRD, "90000"))
	}
	return strings.Join(crds, " "), answer.Meta
}
