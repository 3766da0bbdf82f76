package httpapi

import (
	"bytes"
	"fmt"
	"time"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// instantLayout is the format of all instants in responses: RFC 3339 in UTC to the microsecond, PostgreSQL's precision. Spec:
// not shown; texts of one length sort in the order of their times, and an instant that is sent back as known_at includes what
// it names.
const instantLayout = "2006-01-02T15:04:05.000000Z"

// FormatInstant formats an instant as in responses, for those that are strings in Go or are written by hand.
func FormatInstant(t time.Time) string { return t.UTC().Format(instantLayout) }

// answerOptions make JSON like encoding/json, without its escapes for HTML, and with time.Time in the format of responses. The
// module is the future encoding/json/v2; encoding/json itself cannot change how a type of another package is written.
var answerOptions = json.JoinOptions(
	jsonv1.DefaultOptionsV1(),
	jsontext.EscapeForHTML(false),
	json.WithMarshalers(json.MarshalToFunc(func(e *jsontext.Encoder, t time.Time) error {
		text := make([]byte, 0, len(instantLayout)+2)
		text = t.UTC().AppendFormat(append(text, '"'), instantLayout)
		return e.WriteValue(append(text, '"')) //nolint:wrapcheck // encode wraps it
	})),
)

// encode appends v as JSON.
func encode(b *bytes.Buffer, v any) error {
	if err := json.MarshalWrite(b, v, answerOptions); err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	return nil
}

// Marshal encodes v as in responses, for JSON that is stored and later shown unchanged.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	err := encode(&b, v)
	return b.Bytes(), err
}
