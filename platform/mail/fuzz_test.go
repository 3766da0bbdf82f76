package mail_test

import (
	"maps"
	"mime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/mailtest"
)

// Whatever names, subjects and addresses a mail is made from: it is refused, or it has exactly the headers that it was given,
// once each, and reports what it was to say.
func FuzzHeaderInjection(f *testing.F) {
	type seed struct{ name, email, subject, text, category, header, value, unsubscribe, id string }
	good := seed{"Ada", "ada@harborridge.example", "Hello", "Hi\n", "account", "X-A", "b", "https://x.example/u", "abc"}
	for _, change := range []func(*seed){
		func(*seed) {},
		func(s *seed) { s.subject = "a\r\nBcc: x@evil.example" },
		func(s *seed) { s.subject = "=?utf-8?q?a=0D=0ABcc:_x@evil.example?=" },
		func(s *seed) { s.subject = "a  " + strings.Repeat(" ", 80) + strings.Repeat("b", 80) },
		func(s *seed) { s.subject = strings.Repeat("ü ", 100) + "\u2028" },
		func(s *seed) { s.name = "\"\\\" <x@evil.example>, \"" },
		func(s *seed) { s.name = "Zoë=?utf-8?b?DQo=?=\u0085" },
		func(s *seed) { s.name = strings.Repeat("a", 90) + " " + strings.Repeat("\\\" ", 90) },
		func(s *seed) { s.email = "a@x.example\r\nBcc: b@y.example" },
		func(s *seed) { s.email = "a@bücher.example" },
		func(s *seed) { s.email = "\"a\r\n b\"@x.example" },
		func(s *seed) { s.text = "--boundary\r\nContent-Type: text/html\r\n\r\n\x00.\r\n.\r" },
		func(s *seed) { s.header, s.value = "To", "b@y.example" },
		func(s *seed) { s.header, s.value = "X-A: b\r\nX-B", "c" },
		func(s *seed) { s.header, s.value = "x-gpa-category", "other" },
		func(s *seed) { s.unsubscribe = "https://x.example/>\r\nX-B: c" },
		func(s *seed) { s.id = "a@b>\r\nX-B: c" },
		func(s *seed) { s.category = "a\nX-B: c" },
	} {
		s := good
		change(&s)
		f.Add(s.name, s.email, s.subject, s.text, s.category, s.header, s.value, s.unsubscribe, s.id)
	}
	f.Fuzz(func(t *testing.T, name, email, subject, text, category, header, value, unsubscribe, id string) {
		m := mail.Message{
			To: mail.Address{Name: name, Email: email}, Subject: subject, Text: text, HTML: "<p>x</p>" + text, Category: category,
			UnsubscribeURL: unsubscribe, Headers: map[string]string{header: value}, MessageID: id,
		}
		if m.Validate() != nil {
			_, err := mail.Encode(mail.Config{}, now, m)
			require.True(t, mail.IsPermanent(err))
			return
		}
		data, err := mail.Encode(mail.Config{From: "Atlas <no-reply@atlas.example>"}, now, m)
		require.NoError(t, err)
		for line := range strings.SplitSeq(string(data), "\r\n") {
			require.LessOrEqual(t, len(line), 998)
			require.False(t, strings.ContainsAny(line, "\r\n\x00"), "%q", line)
		}
		head, _, _ := strings.Cut(string(data), "\r\n\r\n")
		for line := range strings.SplitSeq(head, "\r\n") {
			require.NotEmpty(t, strings.TrimSpace(line), "a line of spaces ends the headers for some servers")
		}
		got := mailtest.Parse(t, data)
		want := []string{
			"Auto-Submitted", "Content-Type", "Date", "From", "Message-Id", "Mime-Version", "Subject", "To", "X-Gpa-Category",
		}
		if unsubscribe != "" {
			want = append(want, "List-Unsubscribe", "List-Unsubscribe-Post")
			require.Equal(t, "<"+unsubscribe+">", got.Header.Get("List-Unsubscribe"))
		}
		keys := slices.Sorted(maps.Keys(got.Header))
		require.Len(t, keys, len(want)+1, "%q", keys)
		require.Subset(t, keys, want)
		for key, values := range got.Header {
			require.Len(t, values, 1, key)
		}
		require.Equal(t, words(subject), got.Subject)
		further, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get(header))
		require.NoError(t, err)
		require.Equal(t, words(value), further)
		local, _, _ := strings.Cut(email, "@")
		require.True(t, strings.HasPrefix(got.To.Address, local+"@"), "%q became %q", email, got.To.Address)
		if utf8.RuneCountInString(name) <= 200 {
			require.Equal(t, words(name), got.To.Name)
		}
		require.Equal(t, lines(text), got.Text)
		require.Equal(t, "<p>x</p>"+lines(text), got.HTML)
	})
}

// words is what a header keeps of a line: single spaces, and nothing that reads as an encoded word.
func words(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "=?", "= ?")
}

func lines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
