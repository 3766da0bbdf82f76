package collection_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/collection"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

const (
	path = "/v1/me/collections"
	none = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60" // an id of nothing
)

type bench struct {
	*sessiontest.Bench

	service    *collection.Service
	host       *httpapitest.Host
	ada, grace *user.User
}

// setup has two accounts and three GPs. The third GP has not stated where it is.
func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: sessiontest.New(t)}
	b.service = collection.NewService(b.DB, b.Clock)
	b.host = httpapitest.New(t, collection.Routes(b.service)...)
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

// send sends a request of a person.
func (b *bench) send(t *testing.T, u *user.User, method, path, body string, status int) string {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{Method: method, Path: path, Body: body, As: as(u), Status: status})
	return strings.TrimSpace(got.Body)
}

// create makes a collection and gives its address.
func (b *bench) create(t *testing.T, u *user.User, name string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"name": name})
	require.NoError(t, err)
	got := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, Body: string(body), As: as(u), Status: 201})
	require.Contains(t, got.Body, strings.TrimPrefix(got.Header.Get("Location"), path+"/"))
	return got.Header.Get("Location")
}

// add puts a GP into the collection of an address.
func (b *bench) add(t *testing.T, u *user.User, at, crd string) {
	t.Helper()
	b.send(t, u, "POST", at+"/items", `{"crd":"`+crd+`"}`, 201)
}

// id is what an address ends with.
func id(at string) string { return at[strings.LastIndexByte(at, '/')+1:] }

const done = apperr.Kind(-1)

// race does something twenty times at once and counts what became of it.
func race(do func(n int) error) map[apperr.Kind]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	kinds := map[apperr.Kind]int{}
	for n := range 20 {
		wg.Go(func() {
			err, kind := do(n), done
			if err != nil {
				kind = apperr.From(err).Kind
			}
			mu.Lock()
			defer mu.Unlock()
			kinds[kind]++
		})
	}
	wg.Wait()
	return kinds
}

// patch is a change of the name.
func patch(name string) collection.Patch { return collection.Patch{Name: &name} }
