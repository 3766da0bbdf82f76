package formd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// submissionMark begins EDGAR's full submission: a text with a header for the whole, and one part for each document. Old copies have
// the lines of a signature (PEM) before it.
var submissionMark = regexp.MustCompile(`(?m)^<SEC-(?:DOCUMENT|HEADER)>`)

// submissionHeadBytes is where the mark is looked for. The signature takes some 400 bytes.
const submissionHeadBytes = 4 << 10

// isSubmission recognizes a full submission of any form by its first bytes.
func isSubmission(head []byte) bool {
	return submissionMark.Match(head[:min(len(head), submissionHeadBytes)])
}

// fault is why a submission cannot be given, and the line that shows it.
type fault struct {
	line   int
	reason string
}

// errEnvelope says that a submission cannot be read though nothing is wrong with the XML in it.
var errEnvelope = errors.New("the submission cannot be read")

// errSubmission is a fault that leaves nothing of a submission to be read.
func errSubmission(line int, reason string) error {
	return &damage{line, fmt.Errorf("%w: line %d: %s", errEnvelope, line, reason)}
}

// submitted reads a full submission: its header, and the notice in it. The notice's lines count from the top of the file.
func (n *notices) submitted(ctx context.Context, src io.Reader) (*notice, error) {
	in := newEnvelope(ctx, src)
	h, err := in.header(n.opts.NotAfter)
	if err != nil {
		return nil, err
	}
	if h.fault != nil {
		return &notice{header: h}, nil
	}
	if err := in.toNotice(); err != nil {
		return nil, err
	}
	read, err := n.shapes.parse(ctx, in, in.line+1)
	if err != nil {
		return nil, err
	}
	if h.fault, err = in.rest(); err != nil {
		return nil, err
	}
	read.header = h
	h.complete(read)
	return read, nil
}

// complete adds to a notice what only the header states: the columns that the data sets have beside the notice's own.
func (h *header) complete(read *notice) {
	cells := read.submission.cells
	if form := bytes.TrimSpace(cells[sType]); h.fault == nil && string(form) != h.form {
		h.fault = &fault{read.submission.line, "submissionType is " + quoted(string(form)) + ", but the form type in the header is " + quoted(h.form)}
	}
	filer, wrong := h.filerOf(read)
	if h.fault == nil && wrong != "" {
		h.fault = &fault{read.submission.line, wrong}
	}
	cells[sFiled], cells[sFileNumber], cells[sSIC] = []byte(h.filed), []byte(filer.fileNumber), []byte(filer.sic)
}

// toNotice steps to the line <XML> of the document that is the notice. After it, the envelope reads as that XML.
func (e *envelope) toNotice() error {
	ours := false
	for {
		line, err := e.next()
		if errors.Is(err, io.EOF) {
			return errSubmission(max(e.line, 1), "no document of type D or D/A is in the submission")
		}
		if err != nil {
			return err
		}
		switch tag, value := tagged(line); {
		case tag == "DOCUMENT":
			ours = false
		case tag == "TYPE":
			ours = isForm(value)
		case tag == "XML" && ours:
			e.inXML = true
			return nil
		case tag == "/DOCUMENT" && ours:
			return errSubmission(e.line, "the document of type D has no <XML>: notices from before September 2008 are on paper or plain text")
		}
	}
}

// rest reads what follows the notice's end, and finds the line on which a second one begins.
func (e *envelope) rest() (*fault, error) {
	var second *fault
	for {
		line, err := e.next()
		if errors.Is(err, io.EOF) {
			return second, nil
		}
		if err != nil {
			return nil, err
		}
		switch tag, value := tagged(line); {
		case second != nil:
		case tag == "SEC-DOCUMENT" || tag == "SEC-HEADER":
			second = &fault{e.line, "A second submission begins here: every submission must be a file of its own"}
		case tag == "TYPE" && isForm(value):
			second = &fault{e.line, "A second notice begins here, but a submission of Form D has one"}
		}
	}
}

// tagged parts a line of the envelope: "<TYPE>D" is TYPE and D. Any other line has no tag.
func tagged(line []byte) (tag, value string) {
	if len(line) == 0 || line[0] != '<' {
		return "", ""
	}
	name, rest, ok := bytes.Cut(line[1:], []byte{'>'})
	if !ok || len(name) > len("ACCEPTANCE-DATETIME") {
		return "", ""
	}
	return strings.ToUpper(string(name)), string(bytes.TrimSpace(rest))
}

func isForm(form string) bool { return form == "D" || form == "D/A" }
