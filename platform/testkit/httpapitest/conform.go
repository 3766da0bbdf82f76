package httpapitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"gpatlas/platform/httpapi"
)

// Conforms returns how a response departs from the operation's documentation: an undocumented status, another type of body,
// missing or unknown fields or fields of another type, an operation with a price without the charge header, a failure that cost
// something, or a 401 without a challenge. Requests that reach no operation conform if their body is a problem.
func Conforms(api *httpapi.API, method, path string, got Response) error {
	if method == http.MethodHead {
		if got.Body != "" {
			return errors.New("HEAD was answered with a body")
		}
		return nil
	}
	if got.Status == http.StatusUnauthorized && got.Header.Get("WWW-Authenticate") == "" {
		return errors.New("401 without WWW-Authenticate")
	}
	op := operation(api, method, path)
	if op == nil {
		return conformsToProblem(got)
	}
	documented := resolve(api, op.Responses[strconv.Itoa(got.Status)])
	if documented == nil {
		return fmt.Errorf("%s may not answer %d: its documentation does not list that status", op.OperationID, got.Status)
	}
	if err := conformsToPrice(op, documented, got); err != nil {
		return err
	}
	if len(documented.Content) == 0 {
		if got.Body != "" {
			return fmt.Errorf("%s answers %d with a body, and documents none", op.OperationID, got.Status)
		}
		return nil
	}
	contentType, _, _ := strings.Cut(got.Header.Get("Content-Type"), ";")
	media := documented.Content[contentType]
	if media == nil {
		return fmt.Errorf("%s answers %d with content type %q, which is not documented", op.OperationID, got.Status, contentType)
	}
	if (contentType != "application/json" && !strings.HasSuffix(contentType, "+json")) || media.Schema == nil {
		return nil
	}
	var body any
	if err := json.Unmarshal([]byte(got.Body), &body); err != nil {
		return fmt.Errorf("%s answers %d with invalid JSON: %w", op.OperationID, got.Status, err)
	}
	result := &huma.ValidateResult{}
	huma.Validate(api.OpenAPI().Components.Schemas, media.Schema, huma.NewPathBuffer([]byte{}, 0), huma.ModeReadFromServer, body, result)
	if len(result.Errors) > 0 {
		return fmt.Errorf("%s answers %d with a body that breaks its schema: %w", op.OperationID, got.Status, errors.Join(result.Errors...))
	}
	if err := Instants(body); err != nil {
		return fmt.Errorf("%s answers %d: %w", op.OperationID, got.Status, err)
	}
	return nil
}

// conformsToPrice returns how the charge header departs from its rule: present, and documented, on each response of an
// operation with a price, 0.00 on refusals, or unknown if a charge was lost; absent from all others.
func conformsToPrice(op *huma.Operation, documented *huma.Response, got Response) error {
	said, priced := got.Header.Get("X-Charge"), op.Extensions["x-charge-usd"] != nil
	switch {
	case (said != "") != priced:
		return fmt.Errorf("%s answers %d with X-Charge %q; wanted there: %t", op.OperationID, got.Status, said, priced)
	case priced && documented.Headers["X-Charge"] == nil:
		return fmt.Errorf("%s documents no X-Charge for %d", op.OperationID, got.Status)
	case priced && got.Status >= http.StatusBadRequest && said != "0.00" && (got.Status != http.StatusServiceUnavailable || said != "unknown"):
		return fmt.Errorf("%s refuses with %d and X-Charge %s", op.OperationID, got.Status, said)
	}
	return nil
}

// resolve follows a reference to a response that several operations share.
func resolve(api *httpapi.API, documented *huma.Response) *huma.Response {
	if documented != nil && documented.Ref != "" {
		return api.OpenAPI().Components.Responses[documented.Ref[strings.LastIndexByte(documented.Ref, '/')+1:]]
	}
	return documented
}

func conformsToProblem(got Response) error {
	if got.Status < http.StatusBadRequest || got.Body == "" {
		return nil
	}
	var problem struct {
		Detail string `json:"detail"`
	}
	if err := json.Unmarshal([]byte(got.Body), &problem); err != nil || problem.Detail == "" {
		return fmt.Errorf("status %d without a detail: %s", got.Status, got.Body)
	}
	return nil
}

// operation finds the documented operation that a request reaches: the first route in matching order.
func operation(api *httpapi.API, method, path string) *huma.Operation {
	path, _, _ = strings.Cut(path, "?")
	for _, r := range api.Routes() {
		if r.Operation.Method == method && matches(r.Operation.Path, path) {
			op := r.Operation
			return &op
		}
	}
	return nil
}

func matches(template, path string) bool {
	want, have := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		open, end := strings.IndexByte(want[i], '{'), strings.IndexByte(want[i], '}')
		if open < 0 || end < open {
			if want[i] != have[i] {
				return false
			}
			continue
		}
		prefix, suffix := want[i][:open], want[i][end+1:]
		if len(have[i]) <= len(prefix)+len(suffix) || !strings.HasPrefix(have[i], prefix) || !strings.HasSuffix(have[i], suffix) {
			return false
		}
	}
	return true
}
