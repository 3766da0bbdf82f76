package watchlist_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/modules/accounts/internal/watchlist"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

const (
	path = "/v1/me/watchlist"
	none = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60" // an id of nothing
)

type bench struct {
	*sessiontest.Bench

	service    *watchlist.Service
	host       *httpapitest.Host
	ada, grace *user.User
}

// setup has two accounts and three GPs. The third GP has not stated where it is.
func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: sessiontest.New(t)}
	b.service = watchlist.NewService(b.DB, b.Clock)
	b.host = httpapitest.New(t, watchlist.Routes(b.service)...)
	b.ada, b.grace = b.MakeUser(t, "ada@larkspur.example"), b.MakeUser(t, "grace@mossgate.example")
	filing := func(crd, name, city, state string) *catalogapi.AdviserFiling {
		return &catalogapi.AdviserFiling{
			Key: crd, FilingID: crd, CRD: crd, Submitted: sessiontest.Start.AddDate(0, -1, 0),
			Statement: catalogapi.Statement{LegalName: name, City: catalogapi.Text(city), State: catalogapi.Text(state)},
			Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true,
		}
	}
	b.load(t, filing("900001", "Harbor Ridge Capital Partners LLC", "Boston", "MA"), filing("900002", "Mossgate Advisers LP", "Denver", "CO"),
		filing("900003", "Larkspur Management Inc", "", ""))
	return b
}

func (b *bench) load(t *testing.T, filings ...*catalogapi.AdviserFiling) {
	t.Helper()
	_, err := catalogtest.NewLoader(b.DB, b.Clock).LoadDocument(t.Context(), catalogapi.Document{
		Name: "ADV_Filing_Data_20261001_20261031.zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(filings...),
	}, catalogapi.LoadOptions{RunID: 1, Reject: func(r catalogapi.Rejected) { t.Errorf("rejected: %+v", r) }})
	require.NoError(t, err)
}

// as is a person who has signed in.
func as(u *user.User) *auth.Principal { return &auth.Principal{Kind: auth.Session, UserID: u.ID} }

// add watches a GP and gives the item's id.
func (b *bench) add(t *testing.T, u *user.User, crd string) string {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, Body: `{"adviser_crd":"` + crd + `"}`, As: as(u), Status: 201})
	var body struct{ Data struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
	return body.Data.ID
}

// listed returns the list's values for an account's GPs, by CRD numbers.
func (b *bench) listed(t *testing.T, u *user.User) []string {
	t.Helper()
	items, total, err := b.service.List(t.Context(), u.ID, "", 100, 0)
	require.NoError(t, err)
	require.Len(t, items, total)
	crds := []string{}
	for _, i := range items {
		crds = append(crds, i.AdviserCRD)
	}
	return crds
}
