package httpapitest_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

type firm struct {
	CRD   string   `json:"crd"`
	Funds []string `json:"funds"`
	AUM   *int64   `json:"total_aum"`
}

// Each answer of an operation with a price says what it cost; a refusal costs nothing.
func TestConformsToThePrice(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t, httpapi.Get("/paid", "paid", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.Data[string]], error) {
		return nil, nil
	}, httpapi.Charge(250_000, "request"), httpapi.Errors(http.StatusNotFound)))
	for name, test := range map[string]struct {
		status       int
		charge, body string
		good         bool
	}{
		"said":              {200, "0.25", `{"data":"x"}`, true},
		"not said":          {200, "", `{"data":"x"}`, false},
		"unchanged":         {304, "0.00", "", true},
		"unchanged, unsaid": {304, "", "", false},
		"failure":           {404, "0.00", `{"detail":"none"}`, true},
		"failure, unsaid":   {404, "", `{"detail":"none"}`, false},
		"failure for money": {404, "0.25", `{"detail":"none"}`, false},
		"shared failure":    {429, "0.00", `{"detail":"none"}`, true},
		"failure of ours":   {500, "0.00", `{"detail":"none"}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := httpapitest.Response{Status: test.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: test.body}
			if test.charge != "" {
				got.Header.Set("X-Charge", test.charge)
			}
			err := httpapitest.Conforms(h.API, http.MethodGet, "/paid", got)
			if test.good {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "X-Charge")
			}
		})
	}
}

// Each answer that breaks its operation's documentation is found.
func TestConforms(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t, httpapi.Get("/v1/gps/{crd}.json", "get", func(context.Context, *struct {
		CRD string `path:"crd"`
	},
	) (*httpapi.Reply[httpapi.Data[firm]], error) {
		return nil, nil
	}))
	for name, test := range map[string]struct {
		path, method string
		status       int
		contentType  string
		body, want   string
	}{
		"good":                   {"/v1/gps/1.json", "GET", 200, "application/json", `{"data":{"crd":"1","funds":[],"total_aum":5}}`, ""},
		"null where allowed":     {"/v1/gps/1.json", "GET", 200, "application/json; charset=utf-8", `{"data":{"crd":"1","funds":[],"total_aum":null}}`, ""},
		"null list":              {"/v1/gps/1.json", "GET", 200, "application/json", `{"data":{"crd":"1","funds":null,"total_aum":5}}`, "must be a list"},
		"missing field":          {"/v1/gps/1.json", "GET", 200, "application/json", `{"data":{"crd":"1","funds":[]}}`, "total_aum"},
		"unknown field":          {"/v1/gps/1.json", "GET", 200, "application/json", `{"data":{"crd":"1","funds":[],"total_aum":5,"x":1}}`, "not a known field"},
		"other type":             {"/v1/gps/1.json", "GET", 200, "application/json", `{"data":{"crd":1,"funds":[],"total_aum":5}}`, "must be a string"},
		"fraction for integer":   {"/v1/gps/1.json", "GET", 200, "application/json", `{"data":{"crd":"1","funds":[],"total_aum":5.5}}`, "whole number"},
		"invalid JSON":           {"/v1/gps/1.json", "GET", 200, "application/json", `{`, "invalid JSON"},
		"other content type":     {"/v1/gps/1.json", "GET", 200, "text/html", `<p>`, "not documented"},
		"undocumented status":    {"/v1/gps/1.json", "GET", 404, "application/json", `{"detail":"x"}`, "does not list"},
		"error without a detail": {"/v1/gps/1.json", "GET", 400, "application/json", `{"message":"x"}`, "detail"},
		"shared answer":          {"/v1/gps/1.json", "GET", 429, "application/json", `{"detail":"x"}`, ""},
		"shared answer, broken":  {"/v1/gps/1.json", "GET", 429, "application/json", `{"detail":"x","error":{"type":"y"}}`, "breaks its schema"},
		"401 without challenge":  {"/v1/gps/1.json", "GET", 401, "application/json", `{"detail":"x"}`, "WWW-Authenticate"},
		"body on 304":            {"/v1/gps/1.json", "GET", 304, "", `x`, "documents none"},
		"HEAD with a body":       {"/v1/gps/1.json", "HEAD", 200, "", `x`, "HEAD"},
		"HEAD":                   {"/v1/gps/1.json", "HEAD", 200, "", ``, ""},
		"no operation":           {"/v1/other", "GET", 404, "application/json", `{"detail":"x"}`, ""},
		"no operation, no shape": {"/v1/other", "GET", 404, "text/plain", `Not Found`, "without a detail"},
		"almost the operation":   {"/v1/gps/.json", "GET", 404, "text/plain", `Not Found`, "without a detail"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := httpapitest.Response{Status: test.status, Header: http.Header{"Content-Type": {test.contentType}}, Body: test.body}
			err := httpapitest.Conforms(h.API, test.method, test.path, got)
			if test.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.want)
			}
		})
	}
}
