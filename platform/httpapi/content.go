package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
)

// Bytes is the B of operations whose responses are never JSON: their contents are in Reply.Raw or come from Reply.Stream.
type Bytes struct{}

// Produces names the media types of the successful response if it is not JSON, or not only: "text/csv; charset=utf-8". A reply
// without a ContentType has the first. A response of a type that is not named is a failure.
func Produces(mediaTypes ...string) Option {
	return func(r *Route) { r.produces = append(r.produces, mediaTypes...) }
}

// BodyOptional lets a request whose input has a RawBody come without a body.
func BodyOptional() Option { return func(r *Route) { r.bodyOptional = true } }

// MaxBody limits the request's body in bytes, below the host's limit for all operations.
func MaxBody(bytes int) Option { return func(r *Route) { r.maxBody = bytes } }

// Redirect is the reply that redirects the caller to another URL, with status 302. Declare Success or Answers with
// http.StatusFound.
func Redirect[B any](location string) *Reply[B] {
	return &Reply[B]{Status: http.StatusFound, Header: map[string]string{fiber.HeaderLocation: location}}
}

var (
	errNoContent    = errors.New("the handler returned no content: an answer that is not JSON stands in Raw or Stream")
	errTaggedStream = errors.New("a streamed answer has no entity tag: declare the operation Volatile")
)

// answerType is the content type of a reply.
func (r *Route) answerType(chosen string) (string, error) {
	switch {
	case chosen == "" && len(r.produces) == 0:
		return contentJSON, nil
	case chosen == "":
		return r.produces[0], nil
	case slices.ContainsFunc(r.produces, func(declared string) bool { return bare(declared) == bare(chosen) }):
		return chosen, nil
	}
	return "", fmt.Errorf("%s answers with content type %q, which is not declared", r.Operation.OperationID, chosen)
}

// bare is a media type without its parameters, in lower case.
func bare(mediaType string) string {
	kind, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// unreadable reports whether a media type states a charset other than UTF-8, as which every body is read, or states it twice or not
// clearly. ASCII is a part of UTF-8.
func unreadable(mediaType string) bool {
	_, parameters, err := mime.ParseMediaType(mediaType)
	if err != nil {
		return strings.Contains(strings.ToLower(mediaType), "charset")
	}
	charset := strings.ToLower(parameters["charset"])
	return charset != "" && charset != "utf-8" && charset != "us-ascii"
}

// bodiless reports whether responses of a status have no body.
func bodiless(status int) bool {
	return status == http.StatusNoContent || status >= 300 && status < 400
}

// redirects reports whether a status is a redirect.
func redirects(status int) bool {
	return bodiless(status) && status != http.StatusNoContent && status != http.StatusNotModified
}

// describeContent documents the media types of the successful response.
func (r *Route) describeContent(registry huma.Registry, body reflect.Type) map[string]*huma.MediaType {
	types := r.produces
	if len(types) == 0 {
		types = []string{contentJSON}
	}
	content := map[string]*huma.MediaType{}
	for i, t := range types {
		media := &huma.MediaType{}
		if i < len(r.Examples) {
			media.Example = r.Examples[i]
		}
		switch kind := bare(t); {
		case kind == contentJSON:
			media.Schema = registry.Schema(body, true, answerHint(r.Operation.OperationID))
		case strings.HasPrefix(kind, "text/"):
			media.Schema = &huma.Schema{Type: huma.TypeString}
		default:
			media.Schema = &huma.Schema{} // bytes, as OpenAPI 3.1 says it
		}
		content[bare(t)] = media
	}
	return content
}

// collect runs a stream to its end: for callers of HTTP/1.0, who could not detect an interrupted stream, and for responses that
// are kept.
func collect(s *stream) ([]byte, error) {
	body, err := io.ReadAll(s)
	return body, errors.Join(err, s.Close())
}
