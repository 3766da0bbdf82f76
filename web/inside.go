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
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
)

// inside calls operations in this process, for pages. The page has been admitted and counted already, so the pipeline does not
// identify, limit or record these calls again. The operation's access control applies to the caller in the context.
type inside struct {
	handler fasthttp.RequestHandler
	routes  map[string]*httpapi.Route // operations by ID
}

// insideKey marks a request of this process with its context. No request from outside can have it.
type insideKey struct{}

func newInside(app *fiber.App, api *httpapi.API) *inside {
	in := &inside{app.Handler(), map[string]*httpapi.Route{}}
	routes := api.Routes()
	for i := range routes {
		in.routes[routes[i].Operation.OperationID] = &routes[i]
	}
	return in
}

// Get calls a GET operation: see console.API.
func (in *inside) Get(ctx context.Context, operation string, values url.Values) (*console.Answer, error) {
	route := in.routes[operation]
	switch {
	case route == nil || route.Operation.Method != http.MethodGet:
		return nil, apperr.Internal(fmt.Errorf("there is no GET operation %s", operation))
	case route.ChargeMicros > 0:
		return nil, apperr.Internal(fmt.Errorf("the operation %s has a price, and a page that is only looked at must not cost money", operation))
	}
	return in.call(ctx, route, values, nil, "")
}

// Price returns what an operation would cost: see console.API.
func (in *inside) Price(ctx context.Context, operation string, values url.Values) (*console.Price, error) {
	route := in.routes[operation]
	if route == nil || route.Operation.Method != http.MethodGet || route.ChargeMicros == 0 {
		return nil, apperr.Internal(fmt.Errorf("there is no GET operation %s with a price", operation))
	}
	price := &console.Price{List: charge.Dollars(route.ChargeMicros), Per: route.Per}
	if values == nil || auth.From(ctx).UserID == 0 {
		return price, nil
	}
	quote, err := in.call(ctx, route, with(values, httpapi.WantQuote, "true"), nil, "")
	if err != nil {
		return nil, err
	}
	price.Amount, _ = quote.Record()["amount"].(json.Number)
	price.Quantity, price.Owned = console.Whole(quote.Record()["quantity"]), console.Whole(quote.Record()["owned"])
	return price, nil
}

// Buy calls an operation with a price: see console.API. It is charged like every request of a session, without an API key: the exchange
// opens its bill, and the meter decides.
func (in *inside) Buy(ctx context.Context, operation string, values url.Values, key, most string) (*console.Answer, error) {
	route := in.routes[operation]
	if route == nil || route.ChargeMicros == 0 {
		return nil, apperr.Internal(fmt.Errorf("there is no operation %s with a price", operation))
	}
	a, err := in.call(ctx, route, with(values, httpapi.MaxCharge, most), nil, key)
	if err == nil {
		a.URL = address(route.Operation.Path, values)
	}
	return a, err
}

// with is parameters and one more.
func with(values url.Values, name, value string) url.Values {
	all := maps.Clone(values)
	if all == nil {
		all = url.Values{}
	}
	all.Set(name, value)
	return all
}

// Do calls any operation without a price: see console.API.
func (in *inside) Do(ctx context.Context, operation string, values url.Values, body any) (*console.Answer, error) {
	route := in.routes[operation]
	switch {
	case route == nil:
		return nil, apperr.Internal(fmt.Errorf("there is no operation %s", operation))
	case route.ChargeMicros > 0:
		return nil, apperr.Internal(fmt.Errorf("the operation %s has a price, and must be bought", operation))
	}
	return in.call(ctx, route, values, body, "")
}

// call sends a request, with an Idempotency-Key unless key is empty.
func (in *inside) call(ctx context.Context, route *httpapi.Route, values url.Values, body any, key string) (a *console.Answer, err error) {
	operation := route.Operation.OperationID
	a = &console.Answer{URL: address(route.Operation.Path, values)}
	var request fasthttp.Request
	request.Header.SetMethod(route.Operation.Method)
	request.SetRequestURI(a.URL)
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, apperr.Internal(fmt.Errorf("encode the body of %s: %w", operation, err))
		}
		request.Header.SetContentType(fiber.MIMEApplicationJSON)
		request.SetBody(text)
	}
	if key != "" {
		request.Header.Set(httpapi.HeaderKey, key)
	}
	var c fasthttp.RequestCtx
	c.Init(&request, nil, nil)
	c.SetUserValue(insideKey{}, ctx)
	defer func() {
		if r := recover(); r != nil {
			err = apperr.Internal(fmt.Errorf("panic in %s: %v\n%s", operation, r, debug.Stack()))
		}
	}()
	in.handler(&c)
	if status := c.Response.StatusCode(); status < http.StatusOK || status >= http.StatusMultipleChoices {
		return nil, httpapi.ReadProblem(status, c.Response.Body())
	}
	if err := read(a, &c.Response); err != nil {
		return nil, apperr.Internal(fmt.Errorf("read the response of %s: %w", operation, err))
	}
	return a, nil
}

// read puts a response into its Answer. A file is not read: it may be long.
func read(a *console.Answer, response *fasthttp.Response) error {
	a.Charge = string(response.Header.Peek(httpapi.HeaderCharge))
	if disposition := response.Header.Peek(fiber.HeaderContentDisposition); len(disposition) > 0 {
		a.File = &console.File{Type: string(response.Header.ContentType()), Disposition: string(disposition), Body: response.BodyStream()}
		if a.File.Body == nil {
			a.File.Body = bytes.NewReader(response.Body())
		}
		return nil
	}
	if len(response.Body()) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(response.Body()))
	decoder.UseNumber()
	var members map[string]any
	if err := decoder.Decode(&members); err != nil {
		return err //nolint:wrapcheck // the caller names the operation
	}
	a.Data, a.Meta = members, map[string]any{}
	if data, enveloped := members["data"]; enveloped {
		a.Data = data
		a.Meta, _ = members["meta"].(map[string]any)
	}
	return nil
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
