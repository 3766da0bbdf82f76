package webtest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/web/webtest"
)

const strictDocument = `{"openapi":"3.1.0","info":{"title":"x","version":"1","description":"Every response may have X-Shown."},"paths":{"/a":{"get":{"responses":{
	"200":{"headers":{"ETag":{"required":true,"schema":{"type":"string"}},"X-Left":{"schema":{"type":"integer"}}},
		"content":{"application/json":{"schema":{"type":"object","properties":{"a":{"type":["integer","null"]},"at":{"type":"string","format":"date-time"},"text":{"type":"string"}},"required":["a"],"additionalProperties":false}}}},
	"204":{}}}}}}`

// What an answer may differ in from its document is found, each by itself.
func TestDocumentAnswer(t *testing.T) {
	t.Parallel()
	document := webtest.NewDocument(t, []byte(strictDocument))
	for name, c := range map[string]struct {
		status  int
		changed map[string]string
		body    string
		want    string // "" = it is as documented
	}{
		"as documented":     {200, nil, `{"a":1}`, ""},
		"null":              {200, nil, `{"a":null}`, ""},
		"optional header":   {200, map[string]string{"X-Left": "3"}, `{"a":1}`, ""},
		"general header":    {200, map[string]string{"X-Shown": "3"}, `{"a":1}`, ""},
		"an instant":        {200, nil, `{"a":1,"at":"2026-11-23T21:30:00.120000Z"}`, ""},
		"text of a caller":  {200, nil, `{"a":1,"text":"2026-11-23T21:30:00Z"}`, ""},
		"whole second":      {200, nil, `{"a":1,"at":"2026-11-23T21:30:00Z"}`, "six digits and Z"},
		"three digits":      {200, nil, `{"a":1,"at":"2026-11-23T21:30:00.123Z"}`, "six digits and Z"},
		"an offset":         {200, nil, `{"a":1,"at":"2026-11-23T21:30:00.123456+00:00"}`, "six digits and Z"},
		"a day":             {200, nil, `{"a":1,"at":"2026-11-23"}`, "is no instant"},
		"no content":        {204, nil, "", ""},
		"status":            {202, nil, `{"a":1}`, "status 202 is not documented"},
		"body of none":      {204, nil, "x", "has a body"},
		"type":              {200, nil, `{"a":"1"}`, "breaks its schema"},
		"missing field":     {200, nil, `{}`, "breaks its schema"},
		"unknown field":     {200, nil, `{"a":1,"b":1}`, "breaks its schema"},
		"not JSON":          {200, nil, `{`, "no JSON"},
		"content type":      {200, map[string]string{"Content-Type": "text/plain"}, `{"a":1}`, `content type "text/plain"`},
		"missing header":    {200, map[string]string{"Etag": ""}, `{"a":1}`, "no header ETag"},
		"malformed header":  {200, map[string]string{"X-Left": "many"}, `{"a":1}`, "header X-Left"},
		"unknown header":    {200, map[string]string{"X-Secret": "1"}, `{"a":1}`, "header X-Secret is not documented"},
		"header of another": {204, map[string]string{"X-Left": "3"}, "", "header X-Left is not documented"},
		"no request ID":     {200, map[string]string{"X-Request-Id": ""}, `{"a":1}`, "no X-Request-ID"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{"X-Request-Id": {"x"}}
			if c.status == http.StatusOK {
				header.Set("Etag", `"x"`)
				header.Set("Content-Type", "application/json; charset=utf-8")
			}
			for name, value := range c.changed {
				header.Del(name)
				if value != "" {
					header.Set(name, value)
				}
			}
			err := document.Answer("GET", "/a", c.status, header, []byte(c.body))
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.want)
			}
		})
	}
}
