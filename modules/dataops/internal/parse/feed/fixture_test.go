package feed_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

// drained is everything that a feed gave.
type drained struct {
	opened   *parse.Opened
	filings  []*catalogapi.AdviserFiling
	websites []*catalogapi.WebsiteRow
	rejected []catalogapi.Rejected
}

func (d *drained) reasons() []string {
	out := []string{}
	for _, r := range d.rejected {
		out = append(out, fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Reason))
	}
	return out
}

// drain opens a file and reads all that it has, as a loader does.
func drain(ctx context.Context, path string, opts parse.Options) (*drained, error) {
	d := &drained{}
	opts.Reject = func(r catalogapi.Rejected) { d.rejected = append(d.rejected, r) }
	opened, err := parse.Open(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	d.opened = opened
	if opened.Document.Filings == nil || opened.Document.Websites == nil {
		return d, nil // of another kind
	}
	for f, err := range opened.Document.Filings {
		if err != nil {
			return d, err
		}
		d.filings = append(d.filings, f)
	}
	for w, err := range opened.Document.Websites {
		if err != nil {
			return d, err
		}
		d.websites = append(d.websites, w)
	}
	return d, nil
}

func mustDrain(tb testing.TB, path string) *drained {
	tb.Helper()
	d, err := drain(tb.Context(), path, parse.Options{})
	require.NoError(tb, err)
	require.Equal(tb, "iapd_feed", d.opened.Kind)
	return d
}

func refused(tb testing.TB, path string) string {
	tb.Helper()
	_, err := drain(tb.Context(), path, parse.Options{})
	require.Error(tb, err)
	return err.Error()
}

// write puts content into a file of its own folder.
func write(tb testing.TB, name string, content []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.WriteFile(path, content, 0o600))
	return path
}

// document wraps firms into a feed.
func document(root, day string, firms ...string) string {
	return `<?xml version="1.0" encoding="ISO-8859-1"?>` + "\n" +
		`<` + root + ` GenOn="` + day + `"><Firms>` + "\n" + strings.Join(firms, "\n") + "\n</Firms></" + root + ">\n"
}

// latin1 encodes a text as the feed is. What ISO-8859-1 lacks becomes a character reference.
func latin1(tb testing.TB, text string) []byte {
	tb.Helper()
	var b bytes.Buffer
	good := true // asked once: a feed of the real one's size has 80 million characters
	for _, r := range text {
		if r <= 0xff {
			x, ok := charmap.ISO8859_1.EncodeRune(r)
			good = good && ok
			b.WriteByte(x)
			continue
		}
		fmt.Fprintf(&b, "&#%d;", r)
	}
	require.True(tb, good)
	return b.Bytes()
}

// node is an element of a feed being built.
type node struct {
	name     string
	attrs    [][2]string
	children []*node
	text     string
}

// child gives the child of that name, made if need be.
func (n *node) child(name string) *node {
	i := slices.IndexFunc(n.children, func(c *node) bool { return c.name == name })
	if i < 0 {
		n.children = append(n.children, &node{name: name})
		i = len(n.children) - 1
	}
	return n.children[i]
}

func (n *node) write(b *strings.Builder) {
	b.WriteString("<" + n.name)
	for _, a := range n.attrs {
		b.WriteString(" " + a[0] + `="` + escaped(a[1]) + `"`)
	}
	if len(n.children) == 0 && n.text == "" {
		b.WriteString("/>")
		return
	}
	b.WriteString(">" + escaped(n.text))
	for _, c := range n.children {
		c.write(b)
	}
	b.WriteString("</" + n.name + ">")
}

func escaped(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return err.Error()
	}
	return b.String()
}
