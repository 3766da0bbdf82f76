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

// buffers holds encoding buffers between requests. Very large ones are dropped.
var buffers = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 16<<10)) }}

const keptBufferBytes = 1 << 20

// response is a reply while it is sent.
type response[B any] struct {
	*fiber.Ctx

	reply       *Reply[B]
	bill        *bill // nil: nothing is sold
	status      int
	contentType string
	tagged      bool
	publicURL   string
	broken      func(error) // gets the reason if a stream ends early

	body      []byte
	flow      *stream // instead of body
	buffer    *bytes.Buffer
	tag, held []byte // held is the tag of the body that the caller already has
	space     [64]byte
	cost      string
}

// send sends a reply: links, entity tag (or 304), body. After an error nothing was written. The bill is charged after
// everything else that may fail, and before anything is written. A stream begins after that.
func (r *response[B]) send(ctx context.Context) error {
	reply, bill := r.reply, r.bill
	if reply.Release != nil {
		defer reply.Release()
	}
	if bill != nil {
		if err := bill.fill(sale{reply.Free || r.status == http.StatusNoContent, reply.Units, reply.Places, reply.Bound, reply.CRD, reply.Confirmed}); err != nil {
			return err
		}
		if bill.terms.quote {
			return bill.writeQuote(ctx, r.Ctx)
		}
	}
	defer r.free()
	if err := r.prepare(ctx); err != nil {
		return err
	}
	if err := r.charge(ctx); err != nil {
		return err
	}
	r.write()
	return nil
}

// prepare makes the body, or the stream.
func (r *response[B]) prepare(ctx context.Context) (err error) {
	r.body = r.reply.Raw
	switch {
	case r.reply.Stream != nil && r.tagged:
		return errTaggedStream
	case r.reply.Stream != nil && (!r.Request().Header.IsHTTP11() || ctx.Value(onceKey{}) != nil):
		if r.body, err = collect(newStream(r.reply.Stream, func(error) {})); err != nil {
			return err
		}
	case r.reply.Stream != nil:
		r.flow = newStream(r.reply.Stream, r.broken)
	case r.body == nil && r.contentType != contentJSON && !bodiless(r.status):
		return errNoContent
	case r.body == nil && !bodiless(r.status):
		r.buffer, _ = buffers.Get().(*bytes.Buffer)
		if err := encode(r.buffer, r.reply.Body); err != nil {
			return err
		}
		r.body = r.buffer.Bytes()
	}
	if r.bill != nil && r.bill.test && r.contentType == contentJSON {
		r.body = markTest(r.body)
	}
	return nil
}

// free returns the buffer to the pool.
func (r *response[B]) free() {
	if r.buffer != nil && r.buffer.Cap() <= keptBufferBytes {
		r.buffer.Reset()
		buffers.Put(r.buffer)
	}
}

// charge finds the tag of the body, and charges the bill: a body that the caller already has is free.
func (r *response[B]) charge(ctx context.Context) (err error) {
	r.tagged = r.tagged && r.status == http.StatusOK
	switch {
	case !r.tagged:
	case r.bill == nil:
		r.tag = appendETag(r.space[:0], r.body)
		r.held = heldTag(r.Ctx, r.tag)
	case r.bill.empty: // its tag would show which other responses are empty
		r.tagged = false
	default:
		r.tag, r.held = r.bill.soldTag(r.Ctx, r.body)
	}
	if r.bill != nil {
		r.cost, err = r.bill.charge(ctx, r.held != nil)
	}
	return err
}

func (r *response[B]) write() {
	header := &r.Response().Header
	if r.bill != nil && r.bill.head && r.held == nil { // the length, the tag and the links of a response show its contents
		header.Set(HeaderCharge, r.cost)
		header.Set(headerEstimate, r.bill.estimate)
		header.Set(fiber.HeaderCacheControl, "no-store")
		header.SetContentType(r.contentType)
		r.Response().SetStatusCode(http.StatusOK)
		return
	}
	for name, value := range r.reply.Header {
		header.Set(name, value)
	}
	if r.cost != "" {
		header.Set(HeaderCharge, r.cost)
	}
	if r.bill != nil && r.bill.estimate != "" {
		header.Set(headerEstimate, r.bill.estimate)
	}
	if r.reply.Page != nil {
		uri := r.Context().URI()
		var room [linkRoom]byte
		header.SetBytesV(fiber.HeaderLink, appendLinks(room[:0], r.publicURL, uri.PathOriginal(), uri.QueryString(), *r.reply.Page))
	}
	if r.tagged {
		writeTagged(r.Ctx, r.contentType, r.body, r.tag, r.held)
		return
	}
	header.Set(fiber.HeaderCacheControl, "no-store")
	r.Response().SetStatusCode(r.status)
	switch {
	case bodiless(r.status):
	case r.flow != nil:
		header.SetContentType(r.contentType)
		r.Response().ImmediateHeaderFlush = true // if a stream breaks at once, the caller must notice that the request was sent
		r.Response().SetBodyStream(r.flow, -1)
	default:
		header.SetContentType(r.contentType)
		r.Response().SetBody(r.body) // copies: the buffer, or the handler's Raw, is free again
	}
}

// WriteTagged answers 200 with a body and its strong entity tag, or 304 if the caller has that body already. It copies body.
func WriteTagged(c *fiber.Ctx, contentType string, body []byte) {
	var space [64]byte
	tag := appendETag(space[:0], body)
	writeTagged(c, contentType, body, tag, heldTag(c, tag))
}

// heldTag is the form of the tag that the caller already has, or nil.
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

// challenge returns the WWW-Authenticate header.
const challenge = "Bearer"

// WriteProblem answers with a failure in the format of failures.
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

// WholeSeconds rounds a wait up for Retry-After, so that a caller who waits that long has waited long enough.
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
	if err := encode(&b, body); err != nil { // a few strings cannot fail to encode; otherwise send the minimum
		b.Reset()
		b.WriteString(`{"detail":"` + internalDetail + `"}`)
	}
	response.SetBody(b.Bytes())
}
