package httpapi

import (
	"bytes"
	"fmt"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"gpatlas/platform/apperr"
)

// A form is declared as parameters are, by fields of the input with a form tag: `form:"category" enum:"…"`. It may be sent as
// application/x-www-form-urlencoded or as multipart/form-data, and without a body if no field is required. The rules of
// parameters apply. For senders that need not follow our rules (RFC 8058), use a RawBody.
const inForm = "form"

const (
	contentForm      = "application/x-www-form-urlencoded"
	contentMultipart = "multipart/form-data"
)

// mostFormFields bounds the work and the response for a form full of faults.
const mostFormFields = 100

// rawBody describes an operation's unparsed body: a field `RawBody []byte` of the input.
type rawBody struct {
	field    []int // nil: it has none
	optional bool
	most     int // bytes; 0 = no limit of its own
}

func isRaw(f reflect.StructField) bool {
	return f.Name == "RawBody" && f.Type == reflect.TypeFor[[]byte]()
}

// accept takes the route's rules for its body.
func (d *decoder) accept(r *Route) { d.body.optional, d.body.most = r.bodyOptional, r.maxBody }

// fault reports what is wrong with an input's declaration.
func (d *decoder) fault(r *Route) error {
	raw, form, body := d.body.field != nil, len(d.form.index) > 0, d.json.field != nil
	switch {
	case len(d.unread) > 0:
		return fmt.Errorf("httpapi: %s: %s: no parameter, RawBody or Body, or of a type that cannot be read", r.Operation.OperationID, strings.Join(d.unread, ", "))
	case raw && form, raw && body, form && body:
		return fmt.Errorf("httpapi: %s: RawBody, fields of a form and Body exclude each other", r.Operation.OperationID)
	case !raw && r.bodyOptional:
		return fmt.Errorf("httpapi: %s: BodyOptional is for a RawBody of type []byte", r.Operation.OperationID)
	}
	return nil
}

// checkBody rejects a request by the size or the media type of its body; nil accepts it.
func (d *decoder) checkBody(c *fiber.Ctx) *Problem {
	body := c.Request().Body()
	if d.body.most > 0 && len(body) > d.body.most {
		return NewProblem(ErrBodyTooLarge)
	}
	if len(body) == 0 {
		if d.body.field == nil || d.body.optional {
			return nil
		}
		return invalid([]apperr.FieldError{{Field: WholeBody, Message: "is required"}})
	}
	if len(d.form.index) == 0 {
		return nil
	}
	sent := c.Get(fiber.HeaderContentType)
	var wrong string
	switch kind := bare(sent); {
	case kind != contentForm && kind != contentMultipart:
		wrong = "must be sent as " + contentForm + " or " + contentMultipart
	case unreadable(sent):
		wrong = mustBeUTF8
	default:
		return nil
	}
	p := invalid([]apperr.FieldError{{Field: WholeBody, Message: wrong}})
	p.status = http.StatusUnsupportedMediaType
	return p
}

// readForm fills the input from the fields of a form.
func (d *decoder) readForm(c *fiber.Ctx, seen *bitset, into reflect.Value, f *faults) {
	body := c.Request().Body()
	if len(body) == 0 {
		return
	}
	if bare(c.Get(fiber.HeaderContentType)) == contentMultipart {
		d.readMultipart(c.Get(fiber.HeaderContentType), body, seen, into, f)
		return
	}
	switch {
	case bytes.Count(body, []byte{'&'}) >= mostFormFields:
		f.add(WholeBody, fmt.Sprintf("must not have more than %d fields", mostFormFields))
		return
	case !escapesHold(body):
		f.add(WholeBody, brokenEscape)
		return
	}
	var args fasthttp.Args
	args.ParseBytes(body)
	for key, value := range args.All() {
		if len(key) > 0 || len(value) > 0 {
			d.pair(&d.form, key, value, seen, into, f)
		}
	}
}

func (d *decoder) readMultipart(contentType string, body []byte, seen *bitset, into reflect.Value, f *faults) {
	_, parameters, err := mime.ParseMediaType(contentType)
	var form *multipart.Form
	if err == nil {
		// The body is in memory already; files stay there as well.
		form, err = multipart.NewReader(bytes.NewReader(body), parameters["boundary"]).ReadForm(int64(len(body)))
	}
	if err != nil {
		f.add(WholeBody, "is not a valid "+contentMultipart)
		return
	}
	defer func() { _ = form.RemoveAll() }() // there are none on disk
	if len(form.Value)+len(form.File) > mostFormFields {
		f.add(WholeBody, fmt.Sprintf("must not have more than %d fields", mostFormFields))
		return
	}
	for name := range form.File {
		f.add(printable(name), "must not be a file")
	}
	for _, name := range slices.Sorted(maps.Keys(form.Value)) {
		for _, value := range form.Value[name] {
			d.pair(&d.form, []byte(name), []byte(value), seen, into, f)
		}
	}
}

// describeBody documents a raw body or a form; huma documents JSON bodies.
func (d *decoder) describeBody(op *huma.Operation) {
	content := map[string]*huma.MediaType{}
	required := !d.body.optional
	switch {
	case d.body.field != nil:
		content["*/*"] = &huma.MediaType{Schema: &huma.Schema{}}
	case len(d.form.index) > 0:
		schema := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: false}
		for _, name := range d.form.names {
			p := d.params[d.form.index[name]]
			schema.Properties[name] = p.schema
			if p.required {
				schema.Required = append(schema.Required, name)
			}
		}
		required = len(schema.Required) > 0
		content[contentForm], content[contentMultipart] = &huma.MediaType{Schema: schema}, &huma.MediaType{Schema: schema}
	default:
		return
	}
	op.RequestBody = &huma.RequestBody{Required: required, Content: content}
}
