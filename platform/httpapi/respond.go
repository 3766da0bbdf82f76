package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

const contentJSON = "application/json"

// buffers holds encoding buffers between requests. Those that a large answer has blown up are let go.
var buffers = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 16<<10)) }}

const keptBufferBytes = 1 << 20

// writeReply sends a reply: links, entity tag (or 304), body. An error means that nothing was written. Where there is a
// bill it is charged after everything else that may fail, and before anything is written. A stream begins after that: broken hears
// why it did not come to its end.
func writeReply[B any](
	ctx context.Context, c *fiber.Ctx, reply *Reply[B], status int, contentType string, tagged bool, publicURL string, bill *bill, broken func(error),
) error {
	if reply.Release != nil {
		defer reply.Release()
	}
	if bill != nil {
		if err := bill.fill(sale{reply.Free || status == http.StatusNoContent, reply.Units, reply.CRD, reply.Confirmed}); err != nil {
			return err
		}
		if bill.terms.quote {
			return bill.writeQuote(ctx, c)
		}
	}
	body, flow := reply.Raw, (*stream)(nil)
	switch {
	case reply.Stream != nil && tagged:
		return errTaggedStream
	case reply.Stream != nil && (!c.Request().Header.IsHTTP11() || ctx.Value(onceKey{}) != nil):
		var err error
		if body, err = collect(newStream(reply.Stream, func(error) {})); err != nil {
			return err
		}
	case reply.Stream != nil:
		flow = newStream(reply.Stream, broken)
	case body == nil && contentType != contentJSON && !bodiless(status):
		return errNoContent
	case body == nil && !bodiless(status):
		b, _ := buffers.Get().(*bytes.Buffer)
		defer func() {
			if b.Cap() <= keptBufferBytes {
				b.Reset()
				buffers.Put(b)
			}
		}()
		if err := encode(b, reply.Body); err != nil {
			return err
		}
		body = b.Bytes()
	}
	if bill != nil && bill.test && contentType == contentJSON {
		body = markTest(body)
	}
	var space [64]byte
	var tag, held []byte
	tagged = tagged && status == http.StatusOK
	switch {
	case !tagged:
	case bill == nil:
		tag = appendETag(space[:0], body)
		held = heldTag(c, tag)
	case bill.empty: // its tag would show which other answers are empty
		tagged = false
	default:
		tag, held = bill.soldTag(c, body)
	}
	var cost string
	if bill != nil {
		var err error
		if cost, err = bill.charge(ctx, held != nil); err != nil {
			return err
		}
	}
	header := &c.Response().Header
	if bill != nil && bill.head && held == nil { // the length, the tag and the links of an answer show what it holds
		header.Set(headerCharge, cost)
		header.Set(headerEstimate, bill.estimate)
		header.Set(fiber.HeaderCacheControl, "no-store")
		header.SetContentType(contentType)
		c.Response().SetStatusCode(http.StatusOK)
		return nil
	}
	for name, value := range reply.Header {
		header.Set(name, value)
	}
	if cost != "" {
		header.Set(headerCharge, cost)
	}
	if bill != nil && bill.estimate != "" {
		header.Set(headerEstimate, bill.estimate)
	}
	if reply.Page != nil {
		uri := c.Context().URI()
		var room [linkRoom]byte
		header.SetBytesV(fiber.HeaderLink, appendLinks(room[:0], publicURL, uri.PathOriginal(), uri.QueryString(), *reply.Page))
	}
	if tagged {
		writeTagged(c, contentType, body, tag, held)
		return nil
	}
	header.Set(fiber.HeaderCacheControl, "no-store")
	c.Response().SetStatusCode(status)
	switch {
	case bodiless(status):
	case flow != nil:
		header.SetContentType(contentType)
		c.Response().ImmediateHeaderFlush = true // a caller whose stream breaks at once must not take the request for unsent
		c.Response().SetBodyStream(flow, -1)
	default:
		header.SetContentType(contentType)
		c.Response().SetBody(body) // copies: the buffer, or the caller's Raw, is free again
	}
	return nil
}

// WriteTagged answers 200 with a body and its strong entity tag, or 304 when the caller has that body already. It
// copies body.
func WriteTagged(c *fiber.Ctx, contentType string, body []byte) {
	var space [64]byte
	tag := appendETag(space[:0], body)
	writeTagged(c, contentType, body, tag, heldTag(c, tag))
}

// heldTag is the form of the tag under which the caller has the body already, or nil.
func heldTag(c *fiber.Ctx, tag []byte) []byte {
	if list := c.Request().Header.Peek(fiber.HeaderIfNoneMatch); len(list) > 0 {
		if matched, ok := matchETag(list, tag, true); ok {
			return matched
		}
	}
	return nil
}

func writeTagged(c *fiber.Ctx, contentType string, body, tag, held []byte) {
	response := c.Response()
	response.Header.Set(fiber.HeaderCacheControl, "private, no-cache")
	if held != nil {
		response.Header.SetBytesV(fiber.HeaderETag, held)
		response.ResetBody()
		response.SetStatusCode(http.StatusNotModified)
		return
	}
	response.Header.SetBytesV(fiber.HeaderETag, tag)
	response.SetStatusCode(http.StatusOK)
	response.Header.SetContentType(contentType)
	response.SetBody(body)
}

// challenge says how to identify oneself.
const challenge = "Bearer"

// WriteProblem answers with a failure in the one shape of failures.
func WriteProblem(c *fiber.Ctx, p *Problem) {
	header := &c.Response().Header
	if p.status == http.StatusUnauthorized && len(header.Peek(fiber.HeaderWWWAuthenticate)) == 0 {
		header.Set(fiber.HeaderWWWAuthenticate, challenge)
	}
	if p.retryAfter > 0 {
		header.Set(fiber.HeaderRetryAfter, strconv.FormatInt(WholeSeconds(p.retryAfter), 10))
	}
	writeFailure(c, p.status, p)
}

// WholeSeconds rounds a wait up, as Retry-After tells it: whoever waits that long has waited long enough.
func WholeSeconds(wait time.Duration) int64 { return max(1, int64((wait+time.Second-1)/time.Second)) }

func writeFailure(c *fiber.Ctx, status int, body any) {
	response := c.Response()
	response.ResetBody()
	response.Header.Del(fiber.HeaderETag)
	response.Header.Del(fiber.HeaderLink)
	response.SetStatusCode(status)
	response.Header.SetContentType(contentJSON)
	response.Header.Set(fiber.HeaderCacheControl, "no-store")
	var b bytes.Buffer
	if err := encode(&b, body); err != nil { // a few strings cannot fail to encode; should they, say the least
		b.Reset()
		b.WriteString(`{"detail":"` + internalDetail + `"}`)
	}
	response.SetBody(b.Bytes())
}
