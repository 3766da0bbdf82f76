package stripe

import (
	"errors"
	"fmt"
	"strings"

	stripego "github.com/stripe/stripe-go/v76"

	"gpatlas/platform/httpclient"
)

// longestCause is how much of a response that is not Stripe's is logged.
const longestCause = 300

// RefusedError is Stripe's refusal of a call.
type RefusedError struct {
	Status        int    // of HTTP
	Type, Code    string // Stripe's words: invalid_request_error, resource_missing
	Param         string // the parameter at fault: customer
	Message       string
	RequestID     string // req_…
	whatWasWanted string
}

// Error is for the log.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: Stripe answered %d %s code=%q param=%q request=%q: %s", e.whatWasWanted, e.Status, e.Type, e.Code, e.Param, e.RequestID, e.Message)
}

// Missing reports whether a call failed because an object that a parameter or the path (id) names does not exist at Stripe.
func Missing(err error, param string) bool {
	e, ok := errors.AsType[*RefusedError](err)
	return ok && e.Code == string(stripego.ErrorCodeResourceMissing) && e.Param == param
}

// RefusedFor returns whether Stripe refused a call for a parameter, or for a part of it: discounts[0][coupon] is a part of discounts.
func RefusedFor(err error, param string) bool {
	e, ok := errors.AsType[*RefusedError](err)
	return ok && (e.Param == param || strings.HasPrefix(e.Param, param+"["))
}

// failure converts err for the callers of this package.
func (c *Client) failure(what string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*stripego.Error](err); ok {
		refused := &RefusedError{
			Status: e.HTTPStatusCode, Type: string(e.Type), Code: string(e.Code), Param: e.Param, Message: c.clean(e.Msg), RequestID: e.RequestID, whatWasWanted: what,
		}
		if e.HTTPStatusCode == 401 {
			refused.Message = "the secret key is wrong or revoked" // Stripe's message contains a part of the key
		}
		return errAway.Wrap(refused)
	}
	return errAway.Wrap(fmt.Errorf("%s: %w", what, cleanError{c.clean(httpclient.WithoutURL(err).Error()), err}))
}

// clean is a text without the secret key, shortened.
func (c *Client) clean(text string) string {
	text = strings.ReplaceAll(text, c.key, "[secret key]")
	if len(text) > longestCause {
		text = strings.ToValidUTF8(text[:longestCause], "") + "…"
	}
	return text
}

// cleanError replaces the text of an error, but keeps its identity.
type cleanError struct {
	text string
	err  error
}

func (e cleanError) Error() string { return e.text }

// Is compares the hidden error.
func (e cleanError) Is(target error) bool { return errors.Is(e.err, target) }
