package markup

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// declared finds the charset that an XML declaration names.
var declared = regexp.MustCompile(`^<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']`)

// charset returns the charset with the name in the declaration, if it is supported. ASCII is valid in both.
func charset(name string) (c value.Charset, known bool) {
	switch strings.ToLower(name) {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return value.UTF8, true
	case "iso-8859-1", "latin1", "windows-1252", "cp1252":
		return value.Windows1252, true
	}
	return 0, false
}

// charsetOf detects the charset from a text's first bytes, and returns how many of them precede the declaration: saved copies
// have a byte order mark or a blank line there, which XML itself does not allow.
func charsetOf(head []byte) (c value.Charset, skip int, err error) {
	if len(head) > 1 && (bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || min(head[0], head[1]) == 0) {
		return 0, 0, fmt.Errorf("%w: %w", ErrXML, table.ErrUTF16)
	}
	rest := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	skip = len(head) - len(rest)
	found := declared.FindSubmatch(rest)
	if found == nil {
		return value.UTF8, skip, nil
	}
	c, known := charset(string(found[1]))
	if !known {
		return value.Windows1252, skip, fmt.Errorf("%w: its charset %s is unknown", ErrXML, found[1])
	}
	return c, skip, nil
}

// version finds the version of XML in a declaration.
var version = regexp.MustCompile(`^<\?xml\s+version\s*=\s*["']([^"']*)["']`)

// declaration is a whole XML declaration.
var declaration = regexp.MustCompile(`^<\?xml\s[^>]*\?>`)

// doctype finds the root's name in a document type.
var doctype = regexp.MustCompile(`(?i)^DOCTYPE\s+([A-Za-z_][\w.:-]*)`)

// Root returns the local name of a text's root element, read from the text's first bytes; "" if they are no XML. The
// name in a document type counts too, so that such a text is recognized and then rejected.
func Root(head []byte) string {
	c, skip, err := charsetOf(head)
	if errors.Is(err, table.ErrUTF16) || skip >= len(head) || head[skip] != '<' {
		return ""
	}
	head = declaration.ReplaceAll(head[skip:], nil) // the reader checks its content later
	dec := xml.NewDecoder(strings.NewReader(value.Decode(head, c)))
	dec.Strict = false // an HTML page is recognized by its root as well
	for {
		token, err := dec.RawToken()
		if err != nil {
			return ""
		}
		switch t := token.(type) {
		case xml.StartElement:
			return t.Name.Local
		case xml.Directive:
			if name := doctype.FindSubmatch(t); name != nil {
				return string(name[1])
			}
		}
	}
}
