package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
)

// inside calls operations in this process, for pages. The page has been admitted and counted already, so the pipeline does not
// identify, limit or record these calls again. The operation's access control applies to the caller in the context.
type inside struct {
	handler fasthttp.RequestHandler
	routes  map[string]*httpapi.Route // GET operations by ID
}

// insideKey marks a request of this process with its context. No request from outside can have it.
type insideKey struct{}

func newInside(app *fiber.App, api *httpapi.API) *inside {
	in := &inside{app.Handler(), map[string]*httpapi.Route{}}
	routes := api.Routes()
	for i := range routes {
		if routes[i].Operation.Method == http.MethodGet {
			in.routes[routes[i].Operation.OperationID] = &routes[i]
		}
	}
	return in
}

// Get calls a GET operation: see console.API.
func (in *inside) Get(ctx context.Context, operation string, values url.Values) (a *console.Answer, err error) {
	route := in.routes[operation]
	switch {
	case route == nil:
		return nil, apperr.Internal(fmt.Errorf("there is no GET operation %s", operation))
	case route.ChargeMicros > 0:
		return nil, apperr.Internal(fmt.Errorf("the operation %s has a price, and a page that is only looked at must not cost money", operation))
	}
	a = &console.Answer{URL: address(route.Operation.Path, values)}
	var request fasthttp.Request
	request.SetRequestURI(a.URL)
	var c fasthttp.RequestCtx
	c.Init(&request, nil, nil)
	c.SetUserValue(insideKey{}, ctx)
	defer func() {
		if r := recover(); r != nil {
			err = apperr.Internal(fmt.Errorf("panic in %s: %v\n%s", operation, r, debug.Stack()))
		}
	}()
	in.handler(&c)
	if status := c.Response.StatusCode(); status != http.StatusOK {
		return nil, httpapi.ReadProblem(status, c.Response.Body())
	}
	decoder := json.NewDecoder(bytes.NewReader(c.Response.Body()))
	decoder.UseNumber()
	if err := decoder.Decode(a); err != nil {
		return nil, apperr.Internal(fmt.Errorf("read the response of %s: %w", operation, err))
	}
	return a, nil
}

// address is the path and query of a request: the parameters of the path in their places, the others in the query.
func address(path string, values url.Values) string {
	query := maps.Clone(values)
	for name := range query {
		if place := "{" + name + "}"; strings.Contains(path, place) {
			path = strings.ReplaceAll(path, place, url.PathEscape(query.Get(name)))
			delete(query, name)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}
