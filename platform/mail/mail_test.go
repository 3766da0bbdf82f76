package mail_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/clock"
	"gpatlas/platform/config"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/mailtest"
)

// now is in another zone than UTC, with a fraction of a second: neither may reach a mail.
var now = clock.Fixed(time.Date(2026, 11, 20, 15, 30, 5, 123456789, time.FixedZone("", 3600)))

const secret = "s3cret/pass"

func message() mail.Message {
	return mail.Message{
		To:       mail.Address{Name: "Ada Larkspur", Email: "ada@harborridge.example"},
		Subject:  "Confirm your address",
		Text:     "Hello Ada,\n\nhttps://atlas.example/verify-email?token=abc-DEF_123\n",
		HTML:     `<p>Hello Ada, <a href="https://atlas.example/verify-email?token=abc-DEF_123">confirm</a></p>`,
		Category: "account",
	}
}

func encode(tb testing.TB, cfg mail.Config, m mail.Message) mailtest.Parsed {
	tb.Helper()
	data, err := mail.Encode(cfg, now, m)
	require.NoError(tb, err)
	return mailtest.Parse(tb, data)
}

func TestMail(t *testing.T) {
	t.Parallel()
	m := message()
	m.MessageID = mail.MessageID("accounts.verify_email:17")
	got := encode(t, mail.Config{From: "GP Atlas <no-reply@atlas.example>", ReplyTo: "help@atlas.example"}, m)
	require.Equal(t, map[string][]string{
		"From":           {`"GP Atlas" <no-reply@atlas.example>`},
		"To":             {`"Ada Larkspur" <ada@harborridge.example>`},
		"Reply-To":       {"<help@atlas.example>"},
		"Subject":        {"Confirm your address"},
		"Date":           {"Fri, 20 Nov 2026 14:30:05 +0000"},
		"Message-Id":     {"<" + m.MessageID + "@atlas.example>"},
		"Mime-Version":   {"1.0"},
		"Auto-Submitted": {"auto-generated"},
		"X-Gpa-Category": {"account"},
		"Content-Type":   got.Header["Content-Type"],
	}, map[string][]string(got.Header))
	require.Equal(t, m.Text, got.Text)
	require.Equal(t, m.HTML, got.HTML)
}

// Bodies and headers in any script arrive as they were written; lines stay within what servers take.
func TestMailInOtherScripts(t *testing.T) {
	t.Parallel()
	m := message()
	m.To = mail.Address{Name: "Zoë Müller-Šimek 山田", Email: "zoe@bücher.example"}
	m.Subject = "Grüße  aus Zürich — 山田 " + strings.Repeat("long ", 40)
	m.Text = strings.Repeat("Überlänge ", 300) + "\n.\n..\n=3D\n"
	m.Headers = map[string]string{"Feedback-ID": "digest:gpä"}
	data, err := mail.Encode(mail.Config{}, now, m)
	require.NoError(t, err)
	for line := range strings.SplitSeq(string(data), "\r\n") {
		require.LessOrEqual(t, len(line), 200)
		require.NotContains(t, line, "\n")
	}
	require.Equal(t, -1, strings.IndexFunc(string(data), func(r rune) bool { return r > 126 }), "bytes beyond ASCII")
	got := mailtest.Parse(t, data)
	require.Equal(t, "Zoë Müller-Šimek 山田", got.To.Name)
	require.Equal(t, "zoe@xn--bcher-kva.example", got.To.Address)
	require.Equal(t, strings.TrimSpace("Grüße aus Zürich — 山田 "+strings.Repeat("long ", 40)), got.Subject)
	require.Equal(t, m.Text, got.Text)
	require.Equal(t, "no-reply@localhost", got.From.Address, "files have a sender even without a setting")
}

func TestUnsubscribe(t *testing.T) {
	t.Parallel()
	m := message()
	require.NotContains(t, encode(t, mail.Config{}, m).Header, "List-Unsubscribe")
	m.Category = "activity_digest"
	m.UnsubscribeURL = "https://atlas.example/v1/unsubscribe/" + strings.Repeat("x", 300) + "?category=activity_digest"
	got := encode(t, mail.Config{}, m)
	require.Equal(t, []string{"<" + m.UnsubscribeURL + ">"}, got.Header["List-Unsubscribe"])
	require.Equal(t, []string{"List-Unsubscribe=One-Click"}, got.Header["List-Unsubscribe-Post"])
}

// The second run of a job sends the same mail: mail programs tell by the Message-ID.
func TestMessageID(t *testing.T) {
	t.Parallel()
	id := mail.MessageID("accounts.verify_email:17")
	require.Equal(t, id, mail.MessageID("accounts.verify_email:17"))
	require.NotEqual(t, id, mail.MessageID("accounts.verify_email:18"))
	require.Regexp(t, `^[a-z0-9]{32}$`, id)
	m := message()
	m.MessageID = id
	sealed := func(key string) string {
		return encode(t, mail.Config{IDKey: []byte(key)}, m).Header.Get("Message-Id")
	}
	sealedOnce := sealed("one")
	require.Equal(t, sealedOnce, sealed("one"))
	require.NotEqual(t, sealed("one"), sealed("two"))
	require.NotContains(t, sealed("one"), id, "a key has numbers of accounts, which could be tried")
	m.MessageID = ""
	first, second := encode(t, mail.Config{}, m), encode(t, mail.Config{}, m)
	require.NotEqual(t, first.Header.Get("Message-Id"), second.Header.Get("Message-Id"), "without a key each mail is its own")
}

func TestBadMessages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*mail.Message)
		want   string
	}{
		"line break in the subject":   {func(m *mail.Message) { m.Subject = "a\r\nBcc: x@evil.example" }, "subject contains a line break"},
		"line feed in the subject":    {func(m *mail.Message) { m.Subject = "a\nb" }, "subject contains a line break"},
		"NEL in the subject":          {func(m *mail.Message) { m.Subject = "a\u0085b" }, "subject contains a line break"},
		"line separator":              {func(m *mail.Message) { m.Subject = "a\u2028b" }, "subject contains a line break"},
		"bytes that are no text":      {func(m *mail.Message) { m.Subject = "a\xff" }, "subject contains"},
		"no subject":                  {func(m *mail.Message) { m.Subject = " " }, "subject is empty"},
		"subject without end":         {func(m *mail.Message) { m.Subject = strings.Repeat("a", 501) }, "subject is longer"},
		"line break in the name":      {func(m *mail.Message) { m.To.Name = "Ada\r\nBcc: x@evil.example" }, "recipient: the name contains"},
		"no address":                  {func(m *mail.Message) { m.To.Email = "" }, "recipient: not an email address"},
		"line break in the address":   {func(m *mail.Message) { m.To.Email = "ada@x.example\r\nDATA" }, "recipient: not an email address"},
		"folded address":              {func(m *mail.Message) { m.To.Email = "ada@x.example\r\n " }, "recipient: not an email address"},
		"two addresses":               {func(m *mail.Message) { m.To.Email = "a@x.example, b@x.example" }, "recipient: not an email address"},
		"name in the address":         {func(m *mail.Message) { m.To.Email = "Ada <a@x.example>" }, "recipient: not an email address"},
		"brackets":                    {func(m *mail.Message) { m.To.Email = "<a@x.example>" }, "recipient: not an email address"},
		"comment":                     {func(m *mail.Message) { m.To.Email = "a@x.example (x)" }, "recipient: not an email address"},
		"quoted local part":           {func(m *mail.Message) { m.To.Email = `"a b"@x.example` }, "recipient: not an email address"},
		"international local part":    {func(m *mail.Message) { m.To.Email = "zoë@x.example" }, "non-ASCII characters"},
		"address literal":             {func(m *mail.Message) { m.To.Email = "a@[127.0.0.1]" }, "recipient: not an email address"},
		"long address":                {func(m *mail.Message) { m.To.Email = strings.Repeat("a", 250) + "@x.example" }, "recipient: not an email address"},
		"no text":                     {func(m *mail.Message) { m.Text = "\n" }, "text is empty"},
		"no HTML":                     {func(m *mail.Message) { m.HTML = "" }, "HTML is empty"},
		"HTML that is no text":        {func(m *mail.Message) { m.HTML = "\xff" }, "HTML is not UTF-8"},
		"no category":                 {func(m *mail.Message) { m.Category = "" }, "category"},
		"category with a line break":  {func(m *mail.Message) { m.Category = "account\n" }, "category"},
		"message id with a bracket":   {func(m *mail.Message) { m.MessageID = "a>\r\nX: y" }, "message id"},
		"unsubscribe with a break":    {func(m *mail.Message) { m.UnsubscribeURL = "https://x.example/\r\nX: y" }, "unsubscribe URL has characters"},
		"unsubscribe with a bracket":  {func(m *mail.Message) { m.UnsubscribeURL = "https://x.example/>,<mailto:y" }, "unsubscribe URL has characters"},
		"relative unsubscribe":        {func(m *mail.Message) { m.UnsubscribeURL = "/v1/unsubscribe/x" }, "unsubscribe URL is not an absolute"},
		"unsubscribe by script":       {func(m *mail.Message) { m.UnsubscribeURL = "javascript://x/%0a" }, "unsubscribe URL is not an absolute"},
		"header of ours":              {func(m *mail.Message) { m.Headers = map[string]string{"bcc": "x@evil.example"} }, `header "bcc" may not be set`},
		"content header":              {func(m *mail.Message) { m.Headers = map[string]string{"content-type": "text/plain"} }, "may not be set"},
		"line break in header":        {func(m *mail.Message) { m.Headers = map[string]string{"X-A": "a\r\nBcc: b"} }, "header X-A contains"},
		"line break in a header name": {func(m *mail.Message) { m.Headers = map[string]string{"X-A\r\nBcc": "b"} }, "may not be set"},
		"empty header":                {func(m *mail.Message) { m.Headers = map[string]string{"X-A": ""} }, "header X-A is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := message()
			c.change(&m)
			require.ErrorContains(t, m.Validate(), c.want)
			_, err := mail.Encode(mail.Config{}, now, m)
			require.ErrorContains(t, err, c.want)
			require.True(t, mail.IsPermanent(err), "sending it again would not help")
		})
	}
	require.NoError(t, message().Validate())
}

// A person's long name is no reason to send no mail.
func TestLongNameIsCut(t *testing.T) {
	t.Parallel()
	m := message()
	m.To.Name = strings.Repeat("é", 1000)
	require.Equal(t, strings.Repeat("é", 200), encode(t, mail.Config{}, m).To.Name)
}

func TestConfig(t *testing.T) {
	t.Parallel()
	const from = "GP Atlas <no-reply@atlas.example>"
	for name, c := range map[string]struct {
		cfg  mail.Config
		want string // "" = good
	}{
		"nothing":               {mail.Config{}, "MAIL_SMTP_URL: is not set, and neither is MAIL_DIR"},
		"folder":                {mail.Config{Dir: "/somewhere"}, ""},
		"server":                {mail.Config{SMTPURL: "smtp://gpatlas:s3cret%2Fpass@mail.example.com", From: from}, ""},
		"TLS from the start":    {mail.Config{SMTPURL: "smtps://gpatlas:s3cret%2Fpass@mail.example.com:465/", From: from}, ""},
		"without TLS":           {mail.Config{SMTPURL: "smtp://mail.example.com:25?tls=none", From: from}, ""},
		"password on this host": {mail.Config{SMTPURL: "smtp://gpatlas:s3cret%2Fpass@[::1]:1025?tls=none", From: from}, ""},
		"bare sender":           {mail.Config{Dir: "/somewhere", From: "no-reply@atlas.example", ReplyTo: "Help <help@atlas.example>"}, ""},
		"no sender":             {mail.Config{SMTPURL: "smtp://mail.example.com"}, "MAIL_FROM: is not set"},
		"bad sender":            {mail.Config{From: "GP Atlas"}, `MAIL_FROM: "GP Atlas" is not a sender`},
		"bad reply-to":          {mail.Config{ReplyTo: "x@y@z"}, "MAIL_REPLY_TO: "},
		"password in clear":     {mail.Config{SMTPURL: "smtp://gpatlas:s3cret%2Fpass@mail.example.com?tls=none", From: from}, "would send the password unencrypted"},
		"no password":           {mail.Config{SMTPURL: "smtp://gpatlas@mail.example.com", From: from}, "user without a password"},
		"broken":                {mail.Config{SMTPURL: "smtp://gpatlas:s3cret/pass@mail.example.com:587", From: from}, "MAIL_SMTP_URL: is not a URL"},
		"broken differently":    {mail.Config{SMTPURL: "smtp://gpatlas:s3cret/pass %zz@h", From: from}, "MAIL_SMTP_URL: is not a URL"},
		"web address":           {mail.Config{SMTPURL: "https://gpatlas:s3cret%2Fpass@mail.example.com", From: from}, "must begin with smtp://"},
		"bad port":              {mail.Config{SMTPURL: "smtp://mail.example.com:70000", From: from}, "port"},
		"unknown mode":          {mail.Config{SMTPURL: "smtp://mail.example.com?tls=maybe", From: from}, "must begin with smtp://"},
		"no mode with smtps":    {mail.Config{SMTPURL: "smtps://mail.example.com?tls=none", From: from}, "must begin with smtp://"},
		"unknown parameter":     {mail.Config{SMTPURL: "smtp://mail.example.com?ssl=1", From: from}, "may only contain"},
		"path":                  {mail.Config{SMTPURL: "smtp://mail.example.com/x", From: from}, "may only contain"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := c.cfg.Validate()
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "s3cret")
			_, err = mail.New(c.cfg, now)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// The settings are read by the service's own loader, and faults name the variable.
func TestConfigFromEnvironment(t *testing.T) {
	t.Parallel()
	var s struct {
		Mail mail.Config `envPrefix:"MAIL_"`
	}
	require.NoError(t, config.Load([]string{"MAIL_SMTP_URL=smtp://mail.example.com", "MAIL_FROM=a@b.example", "MAIL_REPLY_TO=c@d.example", "MAIL_DIR=/m"}, &s))
	require.Equal(t, mail.Config{SMTPURL: "smtp://mail.example.com", From: "a@b.example", ReplyTo: "c@d.example", Dir: "/m"}, s.Mail)
	err := config.Load([]string{"MAIL_SMTP_URL=ftp://u:" + secret + "@h"}, &s)
	require.ErrorContains(t, err, "MAIL_SMTP_URL: ")
	require.NotContains(t, fmt.Sprint(err, slog.AnyValue(err)), "s3cret")
}

func TestDefaultFolder(t *testing.T) {
	t.Parallel()
	_, err := mail.New(mail.Config{DefaultDir: t.TempDir()}, now)
	require.NoError(t, err)
}
