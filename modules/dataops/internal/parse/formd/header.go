package formd

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"gpatlas/modules/dataops/internal/parse/value"
)

// header is what EDGAR states about a submission before the documents in it. A notice has none of it.
type header struct {
	accession, form string
	filed           string // yyyy-mm-dd
	filers          []filer
	fault           *fault // why the submission cannot be given; nil = it can
}

// filer is an issuer as the header has it.
type filer struct{ cik, fileNumber, sic string }

// filersMax bounds what is held. A notice lists at most some dozens of issuers.
const filersMax = 1000

// header reads up to the end of the header, and checks what it says: everything a submission is kept by. notAfter refuses
// those filed later, unless it is zero. The notice's own day of signature does not count where the header has the day of filing.
func (e *envelope) header(notAfter time.Time) (*header, error) {
	h, begun := &header{}, false
	for {
		line, err := e.next()
		if errors.Is(err, io.EOF) {
			return nil, errSubmission(max(e.line, 1), "the header has no end: the submission is cut short")
		}
		if err != nil {
			return nil, err
		}
		switch tag, _ := tagged(line); {
		case tag == "SEC-HEADER":
			begun = true
		case tag == "/SEC-HEADER":
			h.finish(e.line)
			return h, nil
		case tag == "DOCUMENT":
			return nil, errSubmission(e.line, "a document begins before the header's end (</SEC-HEADER>)")
		case begun:
			h.field(line, e.line, notAfter)
		}
	}
}

// headerField parts a line of the header: "	SEC FILE NUMBER:	021-127918".
var headerField = regexp.MustCompile(`^\s*([A-Z][A-Z ]*):\s*(.*?)\s*$`)

// industry finds the code behind an industry's name: "BLANK CHECKS [6770]".
var industry = regexp.MustCompile(`\[([0-9]{3,4})\]$`)

func (h *header) field(text []byte, line int, notAfter time.Time) {
	found := headerField.FindSubmatch(text)
	if found == nil {
		return
	}
	name, v := string(found[1]), found[2]
	switch name {
	case "ACCESSION NUMBER":
		accession, err := value.Accession(v)
		h.accession = accession
		h.check(line, name, v, err)
	case "CONFORMED SUBMISSION TYPE":
		if h.form = plain(v); !isForm(h.form) {
			h.fail(line, "The submission is of form type "+quoted(h.form)+", neither D nor D/A")
		}
	case "FILED AS OF DATE":
		filed, err := value.Day(string(v))
		h.filed = filed.Format(time.DateOnly)
		h.check(line, name, v, err)
		if err == nil && !notAfter.IsZero() && filed.After(notAfter) {
			h.fail(line, name+" is in the future: "+h.filed)
		}
	case "COMPANY DATA":
		if len(h.filers) == filersMax {
			h.fail(line, "The header names more than 1,000 filers")
			return
		}
		h.filers = append(h.filers, filer{})
	}
	if len(h.filers) > 0 {
		last(h.filers).field(h, name, v, line)
	}
}

// field reads a line of the header about one issuer.
func (f *filer) field(h *header, name string, v []byte, line int) {
	switch name {
	case "CENTRAL INDEX KEY":
		cik, err := value.CIK(v)
		f.cik = cik
		h.check(line, name, v, err)
	case "SEC FILE NUMBER":
		if len(v) == 0 {
			return
		}
		number, err := value.FormDNumber(v)
		f.fileNumber = number
		h.check(line, name, v, err)
	case "STANDARD INDUSTRIAL CLASSIFICATION":
		if code := industry.FindSubmatch(v); code != nil && !value.None(code[1]) {
			f.sic = string(code[1])
		}
	}
}

// filerOf returns the header's lines about a notice's primary issuer, or why there are none. A header about others belongs to
// another notice: its accession number and file number must not be given to this one.
func (h *header) filerOf(read *notice) (f filer, wrong string) {
	primary := ""
	if len(read.issuers) > 0 {
		if cik, err := value.CIK(read.issuers[0].cells[iCIK]); err == nil {
			primary = cik
		}
	}
	if primary == "" {
		return f, "The notice's primary issuer has no usable CIK, so it is not known which filer in the header it is"
	}
	for _, f := range h.filers {
		if f.cik == primary {
			return f, ""
		}
	}
	return f, "The notice's primary issuer, CIK " + quoted(primary) + ", is not a filer in the header"
}

// finish finds what the header does not say.
func (h *header) finish(line int) {
	switch {
	case h.accession == "":
		h.fail(line, "The header has no ACCESSION NUMBER")
	case h.form == "":
		h.fail(line, "The header has no CONFORMED SUBMISSION TYPE")
	case h.filed == "":
		h.fail(line, "The header has no FILED AS OF DATE")
	case !slices.ContainsFunc(h.filers, func(f filer) bool { return f.cik != "" }):
		h.fail(line, "The header names no filer (COMPANY DATA with a CENTRAL INDEX KEY)")
	}
}

func (h *header) check(line int, name string, v []byte, err error) {
	if err != nil {
		h.fail(line, name+" "+err.Error()+": "+quoted(plain(v)))
	}
}

// plain returns text of the header, which should be ASCII.
func plain(v []byte) string {
	if utf8.Valid(v) {
		return value.Text(v, value.UTF8)
	}
	return value.Text(v, value.Windows1252)
}

// fail keeps the first fault.
func (h *header) fail(line int, reason string) {
	if h.fault == nil {
		h.fault = &fault{line, reason}
	}
}
