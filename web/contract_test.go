package web_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/web/spec"
	"gpatlas/web/webtest"
)

// anything is the input and the answer of operations that stand in for those of real modules.
type anything struct {
	Data string `json:"data" doc:"Invented." example:"invented"`
}

var words = regexp.MustCompile(`[A-Za-z0-9]+`)

type (
	noParameter struct{}
	crdPath     struct {
		CRD string `path:"crd" doc:"CRD number of an adviser." example:"123"`
	}
	fundPath struct {
		FundID string `path:"fund_id" doc:"Identifier of a fund." example:"805-1234567890"`
	}
	idPath struct {
		ID string `path:"id" doc:"Identifier." example:"a"`
	}
	keyPath struct {
		KeyID string `path:"key_id" doc:"Identifier of a key." example:"a"`
	}
	searchPath struct {
		SearchID string `path:"search_id" doc:"Identifier of a search." example:"a"`
	}
	itemPath struct {
		ItemID string `path:"item_id" doc:"Identifier of an item." example:"a"`
	}
	collectionPath struct {
		CollectionID string `path:"collection_id" doc:"Identifier of a collection." example:"a"`
	}
	memberPath struct {
		CollectionID string `path:"collection_id" doc:"Identifier of a collection." example:"a"`
		CRD          string `path:"crd" doc:"CRD number of an adviser." example:"123"`
	}
	tokenPath struct {
		Token string `path:"token" doc:"Token of a link." example:"a"`
	}
	runPath struct {
		RunID int64 `path:"run_id" doc:"Identifier of a run." example:"1"`
	}
	alertPath struct {
		AlertID int64 `path:"alert_id" doc:"Identifier of an alert." example:"1"`
	}
	overridePath struct {
		OverrideID int64 `path:"override_id" doc:"Identifier of an override." example:"1"`
	}
	jobPath struct {
		CRD   string `path:"crd" doc:"CRD number of an adviser." example:"123"`
		JobID string `path:"job_id" doc:"Identifier of a job." example:"a"`
	}
	lpPath struct {
		LPID int64 `path:"lp_id" doc:"Identifier of an LP." example:"1"`
	}
	personPath struct {
		PersonUID string `path:"person_uid" doc:"Identifier of a person." example:"a"`
	}
	notificationPath struct {
		ID string `path:"notification_id" doc:"Identifier of a notification." example:"a"`
	}
	trackingPath struct {
		ID string `path:"tracking_id" doc:"Identifier of a mail or a link." example:"a"`
	}
	endpointPath struct {
		EndpointID string `path:"endpoint_id" doc:"Identifier of a webhook endpoint." example:"a"`
	}
	messagePath struct {
		EndpointID string `path:"endpoint_id" doc:"Identifier of a webhook endpoint." example:"a"`
		MessageID  string `path:"message_id" doc:"Identifier of a message." example:"a"`
	}
	schoolPath struct {
		School string `path:"school" doc:"A school." example:"bschool"`
	}
)

// inputs are the stand-ins' inputs by the parameters of the path.
var inputs = map[string]func(spec.Row) httpapi.Route{
	"":                          standInFor[noParameter],
	"{crd}":                     standInFor[crdPath],
	"{fund_id}":                 standInFor[fundPath],
	"{id}":                      standInFor[idPath],
	"{key_id}":                  standInFor[keyPath],
	"{search_id}":               standInFor[searchPath],
	"{item_id}":                 standInFor[itemPath],
	"{collection_id}":           standInFor[collectionPath],
	"{collection_id}{crd}":      standInFor[memberPath],
	"{run_id}":                  standInFor[runPath],
	"{alert_id}":                standInFor[alertPath],
	"{override_id}":             standInFor[overridePath],
	"{crd}{job_id}":             standInFor[jobPath],
	"{lp_id}":                   standInFor[lpPath],
	"{person_uid}":              standInFor[personPath],
	"{notification_id}":         standInFor[notificationPath],
	"{tracking_id}":             standInFor[trackingPath],
	"{school}":                  standInFor[schoolPath],
	"{endpoint_id}":             standInFor[endpointPath],
	"{endpoint_id}{message_id}": standInFor[messagePath],
	"{token}":                   standInFor[tokenPath],
}

var parameters = regexp.MustCompile(`\{[a-z_]+\}`)

// standIn declares an operation for a row of the contract.
func standIn(row spec.Row) httpapi.Route {
	return inputs[strings.Join(parameters.FindAllString(row.Path, -1), "")](row)
}

func standInFor[I any](row spec.Row) httpapi.Route {
	id := strings.ToLower(row.Method + "-" + strings.Join(words.FindAllString(row.Path, -1), "-"))
	handler := func(context.Context, *I) (*httpapi.Reply[anything], error) {
		return &httpapi.Reply[anything]{Body: anything{Data: id}}, nil
	}
	declare := map[string]func(string, string, func(context.Context, *I) (*httpapi.Reply[anything], error), ...httpapi.Option) httpapi.Route{
		http.MethodGet: httpapi.Get[I, anything], http.MethodPost: httpapi.Post[I, anything],
		http.MethodPut: httpapi.Put[I, anything], http.MethodPatch: httpapi.Patch[I, anything],
		http.MethodDelete: httpapi.Delete[I, anything],
	}[row.Method]
	options := []httpapi.Option{
		httpapi.Grant(row.Access), httpapi.Charge(row.ChargeMicros, row.Per), httpapi.Summary("Stand-in for " + id), httpapi.Describe("Answers with its ID."), httpapi.Tag("Fund managers"),
	}
	if row.Per == charge.PerPerson {
		options = append(options, httpapi.Sells("standin"))
	}
	return declare(row.Path, id, handler, options...)
}

// standIns is a module of stand-ins for the rows, of the contract and beyond it; the web process's own are never among them.
func standIns(tb testing.TB) module.Manifest {
	tb.Helper()
	rows, err := spec.Endpoints()
	require.NoError(tb, err)
	beyond, err := spec.Beyond()
	require.NoError(tb, err)
	m := module.Manifest{Name: "standin"}
	for _, row := range slices.Concat(rows, beyond) {
		own := row.Path == "/" || row.Path == "/health" || row.Path == "/status" || strings.HasPrefix(row.Path, "/v1/legal/")
		if !own {
			m.Routes = append(m.Routes, standIn(row))
		}
	}
	return m
}

//go:generate go test -count=1 -run ^TestContractOfStandIns$ . -update

// The checks of the contract pass on an app whose modules are stand-ins: what they find in real modules is real. Every endpoint
// of the contract can be told from every other and from those beyond it.
func TestContractOfStandIns(t *testing.T) {
	t.Parallel()
	app := webtest.App(t, webtest.Options(t, standIns(t)))
	beyond, err := spec.Beyond()
	require.NoError(t, err)
	require.Len(t, app.API.Routes(), 146+len(beyond))
	webtest.Contract(t, app, "testdata/standins.openapi.golden.json")
}
