package httpapi

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/charge"
)

// contentQuote is the media type of a quote. Spec: not shown; a type of its own avoids a union in the schema of the data, so
// that generated clients have one type for each.
const contentQuote = "application/vnd.gpatlas.quote+json"

// Quote is the response of an operation with a price to a request for a quote. It reveals nothing about the response except, if
// persons are sold, how many.
type Quote struct {
	Data QuoteData `json:"data" doc:"The price of the request."`
	Meta QuoteMeta `json:"meta" doc:"Marks the response as a quote."`
}

// QuoteData is the price of a request for one caller.
type QuoteData struct {
	Operation string  `json:"operation" doc:"ID of the operation." example:"get-gp-metrics"`
	Per       string  `json:"per" enum:"request,person" doc:"What the price is per." example:"request"`
	UnitPrice float64 `json:"unit_price" doc:"Dollars for each request or person. The price for two or more if two or more persons are new." example:"0.15"`
	Quantity  int     `json:"quantity" doc:"Persons in the response, at most if at_most is true; 1 per request." example:"1"`
	Owned     int     `json:"owned" doc:"How many of these the caller has bought before; if at_most is true, at these managers." example:"0"`
	Amount    float64 `json:"amount" doc:"What the response would cost now, in dollars: unit_price for each that is not owned. 0 for callers who are not charged, such as test keys." example:"0.15"`
	// Spec: not shown; otherwise quotes would spell out what a filter finds in sold data, and which managers share a person.
	AtMost bool `json:"at_most" doc:"Whether the response may cost less than amount. True for people of managers: people whom the caller has bought at another manager are free, but a quote does not show who they are, nor who is selected by what is sold, such as a departure." example:"false"`
	// Spec: not shown; a quote that depended on the result would reveal it: 208 free quotes once spelled out a name.
	FreeIfEmpty bool `json:"free_if_empty" doc:"Whether the response costs nothing if it is empty. If true, amount does not depend on what is found. If false, quantity counts people." example:"true"`
}

// QuoteMeta marks a quote.
type QuoteMeta struct {
	Quote bool `json:"quote" doc:"Always true." example:"true"`
	Test  bool `json:"test,omitempty" doc:"True for requests with a test key. Absent otherwise." example:"true"`
}

// writeQuote answers with the price instead of the response. Headers that the handler has set are dropped.
func (b *bill) writeQuote(ctx context.Context, c *fiber.Ctx) error {
	quote, err := b.quoted(ctx, false)
	if err != nil {
		return err
	}
	answer := Quote{Data: b.price(quote), Meta: QuoteMeta{Quote: true, Test: b.test}}
	var body bytes.Buffer
	if err := encode(&body, answer); err != nil {
		return err
	}
	header := &c.Response().Header
	header.Set(HeaderCharge, charge.Dollars(0))
	if b.head {
		header.Set(headerEstimate, charge.Dollars(quote.Micros))
	}
	header.Set(fiber.HeaderCacheControl, "no-store")
	header.SetContentType(contentQuote)
	c.Response().SetStatusCode(http.StatusOK)
	c.Response().SetBody(body.Bytes())
	c.Context().SetUserValue(quoted{}, true)
	return nil
}

// price converts the meter's quote of the bill to the terms of the price list.
func (b *bill) price(quote charge.Quote) QuoteData {
	data := QuoteData{Operation: b.item.Operation, Per: b.item.Per, Amount: dollars(quote.Micros), AtMost: b.bound != nil, FreeIfEmpty: b.fee()}
	if !b.free() {
		data.Quantity, data.Owned = b.quantity(), quote.Owned
	}
	if b.item.Per == charge.PerRequest { // the price is due once if any unit is new
		data.Owned = 0
		if n := len(b.item.Units); n > 0 && quote.Owned >= n {
			data.Owned = data.Quantity
		}
	}
	data.UnitPrice = dollars(b.item.UnitPrice(data.Quantity - data.Owned))
	return data
}

// describeQuote documents the quote among the successful responses of an operation with a price. A quote has none of the
// headers that the operation always sends.
func (a *API) describeQuote(op *huma.Operation, route *Route) {
	if route.ChargeMicros == 0 {
		return
	}
	schema := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Quote](), true, "Quote")
	price := dollars(route.ChargeMicros)
	media := &huma.MediaType{Schema: schema, Example: Quote{Data: QuoteData{
		Operation: op.OperationID, Per: route.Per, UnitPrice: price, Quantity: 1, Amount: price, FreeIfEmpty: route.Per == charge.PerRequest && route.Product == "",
	}, Meta: QuoteMeta{Quote: true}}}
	good := op.Responses["200"]
	if good == nil {
		op.Responses["200"] = &huma.Response{
			Description: "The quote, if one was asked for.",
			Headers:     map[string]*huma.Param{"X-Request-ID": requestIDHeader(), HeaderCharge: {Description: "0.00: a quote is free.", Schema: &huma.Schema{Type: huma.TypeString}}, headerTest: testHeader()},
			Content:     map[string]*huma.MediaType{contentQuote: media},
		}
		return
	}
	either := *good
	either.Headers, either.Content = map[string]*huma.Param{}, maps.Clone(good.Content)
	for name, header := range good.Headers {
		own := *header
		own.Required = own.Required && name == "X-Request-ID"
		either.Headers[name] = &own
	}
	if either.Content == nil {
		either.Content = map[string]*huma.MediaType{}
	}
	either.Content[contentQuote] = media
	op.Responses["200"] = &either
}

// OnlyEstimates reports whether a request of an operation with a price asks for the price and not for the response (a quote,
// HEAD): the handler should call no paid service for it.
func OnlyEstimates(ctx context.Context) bool {
	b := billOf(ctx)
	return b != nil && b.estimates()
}
