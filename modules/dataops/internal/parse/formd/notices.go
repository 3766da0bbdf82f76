package formd

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/markup"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// notices are the single notices of an input. Each is read again for every sequence: they are small, and none is held.
type notices struct {
	ctx    context.Context //nolint:containedctx // the sequences take no arguments; Open's context is theirs by contract
	opts   format.Options
	shapes *shapes
	good   []known
	files  map[string]string // the file of each usable notice, by accession number
	twice  int64
}

// known is a usable notice.
type known struct {
	file      noticeFile
	accession string
}

// openNotices reads every notice once. One that cannot be read is rejected if it is alone. Among others it is quarantined,
// because notices do not depend on one another. among means that the input has other files of the kind, usable or not.
func openNotices(ctx context.Context, files []noticeFile, among bool, opts format.Options) (format.Opened, error) {
	s, err := newShapes()
	if err != nil {
		return format.Opened{}, err
	}
	n := &notices{ctx: ctx, opts: opts, shapes: s, files: make(map[string]string)}
	for _, f := range files {
		read, err := n.read(ctx, f)
		switch {
		case among && (errors.Is(err, markup.ErrXML) || errors.Is(err, errEnvelope)):
			opts.Reject(catalogapi.Rejected{File: f.Name, Line: lineOf(err), Reason: "The file is not a notice: " + err.Error()})
		case err != nil:
			return format.Opened{}, fmt.Errorf("%s: %w", f.Name, err)
		default:
			n.check(f, read)
		}
	}
	return format.Opened{
		Document: catalogapi.Document{
			Source:         catalogapi.SourceFormD,
			Offerings:      n.offerings,
			Issuers:        children(n, func(r *notice) []element { return r.issuers }, &s.issuer, row.issuer),
			RelatedPersons: children(n, func(r *notice) []element { return r.persons }, &s.person, row.person),
			Recipients:     children(n, func(r *notice) []element { return r.recipients }, &s.recipient, row.recipient),
		},
		Series:   series("notices"),
		Repeated: func() int64 { return n.twice },
	}, nil
}

// check keeps a notice that can be given, and quarantines any other.
func (n *notices) check(f noticeFile, read *notice) {
	accession, reason := accessionOf(f.Member)
	if h := read.header; h != nil {
		if h.fault != nil {
			n.refuse(f, read, *h.fault)
			return
		}
		accession, reason = h.accession, ""
	}
	_, wrong := n.offering(f, read, accession)
	if wrong == "" {
		wrong = reason
	}
	if first, taken := n.files[accession]; wrong == "" && taken {
		n.twice++
		wrong = "The accession number " + accession + " is that of " + first + " too"
	}
	if wrong != "" {
		n.refuse(f, read, fault{read.submission.line, wrong})
		return
	}
	n.files[accession] = f.Name
	n.good = append(n.good, known{f, accession})
}

func (n *notices) refuse(f noticeFile, read *notice, why fault) {
	raw := n.shapes.offering.fill(f.Name, read.offering).Raw()
	n.opts.Reject(catalogapi.Rejected{File: f.Name, Line: why.line, Reason: why.reason, Raw: table.RawText(raw, value.UTF8)})
}

// offering returns the notice's offering, or what is wrong with it.
func (n *notices) offering(f noticeFile, read *notice, accession string) (*catalogapi.OfferingRow, string) {
	r := n.shapes.submission.fill(f.Name, read.submission)
	s := r.submission(n.opts.NotAfter)
	s.accession = accession
	r.checkVersion()
	if r.Fault() != "" {
		return nil, r.Fault()
	}
	r = n.shapes.offering.fill(f.Name, read.offering)
	o := r.offering(s)
	o.Line = read.submission.line
	return o, r.Fault()
}

// offerings yields the usable notices.
func (n *notices) offerings(yield func(*catalogapi.OfferingRow, error) bool) {
	for _, k := range n.good {
		read, err := n.again(k)
		if err != nil {
			yield(nil, err)
			return
		}
		o, _ := n.offering(k.file, read, k.accession)
		if !yield(o, nil) {
			return
		}
	}
}

func (n *notices) again(k known) (*notice, error) {
	read, err := n.read(n.ctx, k.file)
	if err == nil {
		if _, fault := n.offering(k.file, read, k.accession); fault != "" {
			err = errors.New("the file changed while it was read: " + fault)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.file.Name, err)
	}
	return read, nil
}

// children returns the records of one kind of all usable notices, numbered within each. nil is a record without values.
func children[T any](n *notices, of func(*notice) []element, s *shape, convert func(row, string, int) *T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, k := range n.good {
			read, err := n.again(k)
			if err != nil {
				yield(nil, err)
				return
			}
			seq := 0
			for _, e := range of(read) {
				r := s.fill(k.file.Name, e)
				v := convert(r, k.accession, seq+1)
				if r.Fault() != "" {
					n.opts.Reject(catalogapi.Rejected{File: r.File, Line: r.Line, Reason: r.Fault(), Raw: table.RawText(r.Raw(), value.UTF8)})
					continue
				}
				if v == nil {
					continue
				}
				if seq++; !yield(v, nil) {
					return
				}
			}
		}
	}
}

// accessionForm finds an accession number in a name: "000104216711000159-primary_doc.xml", "0001042167-11-000159.xml".
var accessionForm = regexp.MustCompile(`(?:^|[^0-9])([0-9]{10}-?[0-9]{2}-?[0-9]{6})(?:[^0-9]|$)`)

// unnamed is why a notice cannot be given whose accession number is not known: it is the offering's key.
const unnamed = "The accession number, which a notice does not carry, is neither in the file's name nor in its folder's: " +
	"name it as in 0001234567-24-000001-primary_doc.xml"

// accessionOf finds a notice's accession number, or says that there is none. EDGAR has every filing in a folder named by it.
func accessionOf(m *archive.Member) (accession, reason string) {
	for _, name := range []string{m.Name, m.Parent} {
		if found := accessionForm.FindStringSubmatch(name); found != nil {
			if a, err := value.Accession([]byte(found[1])); err == nil {
				return a, ""
			}
		}
	}
	return "", unnamed
}
