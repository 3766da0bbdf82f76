package mailtest

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Parsed is a mail as a mail program reads it.
type Parsed struct {
	Header     netmail.Header
	From, To   *netmail.Address
	Subject    string
	Text, HTML string // with plain line ends
}

// Parse reads a mail of this service: headers, then exactly a text and an HTML part.
func Parse(tb testing.TB, raw []byte) Parsed {
	tb.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	require.NoError(tb, err)
	p := Parsed{Header: m.Header}
	p.From, err = netmail.ParseAddress(m.Header.Get("From"))
	require.NoError(tb, err)
	p.To, err = netmail.ParseAddress(m.Header.Get("To"))
	require.NoError(tb, err)
	p.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	require.NoError(tb, err)
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	require.NoError(tb, err)
	require.Equal(tb, "multipart/alternative", kind)
	parts := multipart.NewReader(m.Body, params["boundary"])
	p.Text = part(tb, parts, "text/plain")
	p.HTML = part(tb, parts, "text/html")
	_, err = parts.NextRawPart()
	require.ErrorIs(tb, err, io.EOF, "there are more than two parts")
	return p
}

func part(tb testing.TB, parts *multipart.Reader, want string) string {
	tb.Helper()
	next, err := parts.NextRawPart()
	require.NoError(tb, err)
	kind, params, err := mime.ParseMediaType(next.Header.Get("Content-Type"))
	require.NoError(tb, err)
	require.Equal(tb, want, kind)
	require.Equal(tb, "utf-8", strings.ToLower(params["charset"]))
	var reader io.Reader = next
	if encoding := next.Header.Get("Content-Transfer-Encoding"); encoding != "8bit" { // files of MAIL_DIR have no encoding
		require.Equal(tb, "quoted-printable", encoding)
		reader = quotedprintable.NewReader(next)
	}
	body, err := io.ReadAll(reader)
	require.NoError(tb, err)
	return strings.ReplaceAll(string(body), "\r\n", "\n")
}
