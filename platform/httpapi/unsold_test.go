package httpapi_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

type remarks struct {
	Total int `json:"total"`
}

func (remarks) SchemaName() string { return "Remarks" }

type noRemarks struct{}

func (noRemarks) SchemaName() string { return "NoRemarks" }

// What a test key is answered bears a mark: the header on each answer of an operation with a price, and meta.test where there is a meta.
// The answers of other callers and of operations without a price do not.
func TestAnswersToTestKeysAreMarked(t *testing.T) {
	t.Parallel()
	fee := httpapi.Charge(250_000, charge.PerRequest)
	body := httpapi.DataMeta[word, remarks]{Data: word{"meta"}, Meta: remarks{3}}
	h := httpapitest.NewMetered(
		t, &chargetest.Meter{},
		httpapi.Get("/meta", "meta", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.DataMeta[word, remarks]], error) {
			return &httpapi.Reply[httpapi.DataMeta[word, remarks]]{Body: body}, nil
		}, fee),
		httpapi.Get("/raw-meta", "raw-meta", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.DataMeta[word, remarks]], error) {
			return &httpapi.Reply[httpapi.DataMeta[word, remarks]]{Raw: []byte(`{"data":{"word":"\"meta\":{"}, "meta" : { "total" : 3 } }`)}, nil
		}, fee),
		httpapi.Get("/empty-meta", "empty-meta", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.DataMeta[word, noRemarks]], error) {
			return &httpapi.Reply[httpapi.DataMeta[word, noRemarks]]{Body: httpapi.DataMeta[word, noRemarks]{Data: word{"w"}}}, nil
		}, fee),
		httpapi.Get("/no-meta", "no-meta", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{Body: word{"w"}}, nil
		}, fee),
		httpapi.Get("/unpriced", "unpriced", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.DataMeta[word, remarks]], error) {
			return &httpapi.Reply[httpapi.DataMeta[word, remarks]]{Body: body}, nil
		}),
	)
	live := &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "k", Mode: "live"}
	test := &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "k", Mode: auth.ModeTest}
	marked, plain := map[string]string{"X-Test-Mode": "true", "X-Charge": "0.00"}, map[string]string{"X-Test-Mode": ""}
	h.Run(t, []httpapitest.Scenario{
		{Name: "meta", Path: "/meta", As: test, WantHeader: marked, WantJSON: `{"data":{"word":"meta"},"meta":{"total":3,"test":true}}`},
		{Name: "ready bytes", Path: "/raw-meta", As: test, WantHeader: marked, WantJSON: `{"data":{"word":"\"meta\":{"},"meta":{"total":3,"test":true}}`},
		{Name: "an empty meta", Path: "/empty-meta", As: test, WantHeader: marked, WantJSON: `{"data":{"word":"w"},"meta":{"test":true}}`},
		{Name: "no meta", Path: "/no-meta", As: test, WantHeader: marked, WantJSON: `{"word":"w"}`},
		{Name: "a refusal", Path: "/meta?x=1", As: test, Status: 400, WantHeader: marked},
		{Name: "HEAD", Method: "HEAD", Path: "/meta", As: test, WantHeader: marked},
		{Name: "no price", Path: "/unpriced", As: test, WantHeader: plain, WantJSON: `{"data":{"word":"meta"},"meta":{"total":3}}`},
		{Name: "a live key", Path: "/meta", As: live, WantHeader: plain, WantJSON: `{"data":{"word":"meta"},"meta":{"total":3}}`},
		{Name: "nobody", Path: "/meta", WantHeader: plain, WantJSON: `{"data":{"word":"meta"},"meta":{"total":3}}`},
	})
	tag := h.Do(t, httpapitest.Scenario{Path: "/meta", As: test}).Header.Get("ETag")
	h.Do(t, httpapitest.Scenario{Path: "/meta", As: test, Header: map[string]string{"If-None-Match": tag}, Status: 304, WantHeader: marked})
	h.Do(t, httpapitest.Scenario{Path: "/meta", As: live, Header: map[string]string{"If-None-Match": tag}, WantHeader: map[string]string{"X-Charge": "0.25"}})
	document, err := h.API.JSON()
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(document), "True for requests with a test key to an operation with a price."), "in both metas, once")
}
