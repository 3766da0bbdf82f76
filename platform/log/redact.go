package log

import (
	"log/slog"
	"regexp"
	"strings"
)

const redacted = "[redacted]"

// secretKeys are attribute names whose values are never written, in lower case with '-' as '_'.
var secretKeys = map[string]bool{
	"authorization": true, "proxy_authorization": true, "cookie": true, "set_cookie": true,
	"password": true, "new_password": true, "secret": true, "client_secret": true, "token": true,
	"access_token": true, "refresh_token": true, "internal_token": true, "jwt": true, "api_key": true, "x_api_key": true,
	"stripe_signature": true, "credential": true, "credentials": true, "dsn": true,
}

var (
	userInfo   = regexp.MustCompile(`(://[^:/?#\s@]*:)[^@/?#\s]+@`)
	bearer     = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)
	apiKey     = regexp.MustCompile(`\bgpa_(live|test)_[1-9A-HJ-NP-Za-km-z]+`)
	assignment = regexp.MustCompile(`\b(\w*(?:password|token|secret|api_key))=[^&\s"]+`)
)

// redact is slog's ReplaceAttr: it hides values under secret names, and secrets in texts and errors (passwords in URLs, bearer
// tokens, API keys). Durations are written with their unit ("1.5s"); slog's JSON would write nanoseconds.
func redact(_ []string, a slog.Attr) slog.Attr {
	if secretKeys[strings.ReplaceAll(strings.ToLower(a.Key), "-", "_")] {
		return slog.String(a.Key, redacted)
	}
	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, Scrub(a.Value.String()))
	case slog.KindDuration:
		return slog.String(a.Key, a.Value.Duration().String())
	case slog.KindAny:
		if err, ok := a.Value.Any().(error); ok {
			return slog.String(a.Key, Scrub(err.Error()))
		}
	default:
	}
	return a
}

// Scrub hides the secrets in a text. Most texts have none: each pattern is tried only if its marks are found.
func Scrub(text string) string {
	has := func(mark byte) bool { return strings.IndexByte(text, mark) >= 0 }
	if has('@') && strings.Contains(text, "://") {
		text = userInfo.ReplaceAllString(text, "${1}"+redacted+"@")
	}
	if has(' ') && (strings.Contains(text, "earer ") || strings.Contains(text, "asic ")) {
		text = bearer.ReplaceAllString(text, "$1 "+redacted)
	}
	if has('_') && strings.Contains(text, "gpa_") {
		text = apiKey.ReplaceAllString(text, "gpa_${1}_"+redacted)
	}
	if has('=') && (strings.Contains(text, "token=") || strings.Contains(text, "password=") || strings.Contains(text, "secret=") || strings.Contains(text, "api_key=")) {
		text = assignment.ReplaceAllString(text, "$1="+redacted)
	}
	return text
}
