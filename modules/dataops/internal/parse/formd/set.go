package formd

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// set is an open quarterly data set. Its submissions, some 15,000 a quarter, are held in memory, because the other tables join to
// them in any order. Everything else is streamed.
type set struct {
	ctx    context.Context //nolint:containedctx // the sequences take no arguments; Open's context is theirs by contract
	opts   format.Options
	tables map[string]*file

	filed    map[string]*filed // by accession number
	order    []*filed          // in the order of the table
	repeated int64
}

// filed is a submission and what became of it.
type filed struct {
	submission
	line      int
	refused   bool // quarantined
	given     bool // its offering was given, so its children may be
	issued    bool // it has a row in the table of issuers
	primary   bool // one of its issuers is said to be the primary one
	issuers   tally
	persons   tally
	receivers tally
}

// submissionsMax bounds what is held. All Form D notices since 2008 are some 700,000.
const submissionsMax = 2_000_000

// openSet finds the tables and reads each once through, for damage, charset and missing columns; then the submissions.
func openSet(ctx context.Context, in *archive.Input, opts format.Options) (format.Opened, error) {
	s := &set{ctx: ctx, opts: opts, tables: make(map[string]*file), filed: make(map[string]*filed)}
	if err := s.choose(in); err != nil {
		return format.Opened{}, err
	}
	layout, known := make(map[string][]string), make(map[string]func(string) string)
	for _, name := range []string{"formdsubmission", "offering", "issuers", "relatedpersons", "recipients"} {
		f := s.tables[name]
		if f == nil {
			continue
		}
		if err := f.inspect(ctx, s.note(f)); err != nil {
			return format.Opened{}, err
		}
		layout[name], known[name] = f.header, table.Known(f.record.columns())
		if name == "formdsubmission" {
			if err := s.submissions(f); err != nil {
				return format.Opened{}, err
			}
		}
	}
	doc := catalogapi.Document{Source: catalogapi.SourceFormD, Offerings: s.offerings, Issuers: s.issuers()}
	if f := s.tables["relatedpersons"]; f != nil {
		doc.RelatedPersons = sequence(s, &childTable[catalogapi.RelatedPersonRow]{
			file: f, convert: row.person, tally: func(n *filed) *tally { return &n.persons },
		})
	}
	if f := s.tables["recipients"]; f != nil {
		doc.Recipients = sequence(s, &childTable[catalogapi.RecipientRow]{
			file: f, convert: row.recipient, tally: func(n *filed) *tally { return &n.receivers },
		})
	}
	return format.Opened{
		Document: doc, Series: series("sets"), Layout: layout, Repeated: func() int64 { return s.repeated },
		Reads: func(table, header string) string { return known[table](header) }, // a table of the layout
		Filed: s.filers, Filled: s.filled, Misdated: func() (outside, filings int64) { return s.misdated(in.Name) },
	}, nil
}

// misdated counts the notices that were not filed in the quarter of the set's name, and all.
func (s *set) misdated(name string) (outside, filings int64) {
	if !setName.MatchString(name) {
		return 0, 0
	}
	year, err := strconv.Atoi(name[:4])
	if err != nil {
		return 0, 0
	}
	from := time.Date(year, time.Month(3*int(name[5]-'0')-2), 1, 0, 0, 0, 0, time.UTC)
	to := from.AddDate(0, 3, 0)
	for _, n := range s.order {
		if !n.given {
			continue
		}
		if filings++; n.filed.Before(from) || !n.filed.Before(to) {
			outside++
		}
	}
	return outside, filings
}

// filers counts the people and the recipients of each notice.
func (s *set) filers() []gate.Filers {
	g := gate.Filers{Kind: gate.Notices, Tables: make(map[string][]int32)}
	for _, n := range s.order {
		if !n.given {
			continue
		}
		g.Filers = append(g.Filers, gate.Filer{FilingID: n.accession, Submitted: n.filed})
		for table, t := range map[string]tally{"relatedpersons": n.persons, "recipients": n.receivers} {
			if s.tables[table] != nil {
				g.Tables[table] = append(g.Tables[table], int32(t.given)) // #nosec G115 -- rows of a notice
			}
		}
	}
	return []gate.Filers{g}
}

// filled counts the values of each table.
func (s *set) filled() map[string]gate.Fill {
	out := make(map[string]gate.Fill, len(s.tables))
	for name, f := range s.tables {
		out[name] = f.fill.AddTo(gate.Fill{})
	}
	return out
}

// choose finds the members that are tables of the set. The table of signatures is not read.
func (s *set) choose(in *archive.Input) error {
	known := make(map[string]record)
	for _, r := range []record{submissionRecord(), offeringRecord(), issuerRecord(), personRecord(), recipientRecord()} {
		known[r.table] = r
	}
	for _, m := range in.Members {
		found := tableName.FindStringSubmatch(m.Name)
		if found == nil {
			continue
		}
		r, ok := known[strings.ToLower(found[1])]
		if !ok {
			continue
		}
		if s.tables[r.table] != nil {
			return fmt.Errorf("the table %s is there twice: each quarter is a document of its own", m.Name)
		}
		s.tables[r.table] = &file{member: m, record: r, reject: s.opts.Reject}
	}
	for _, name := range []string{"formdsubmission", "offering", "issuers"} {
		if s.tables[name] == nil {
			return fmt.Errorf("the table %s.tsv of the Form D set is missing", strings.ToUpper(name))
		}
	}
	return nil
}

// submissions reads the table of submissions and quarantines those that cannot be used.
func (s *set) submissions(f *file) error {
	for r, err := range f.rows(s.ctx) {
		if err != nil {
			return err
		}
		n := &filed{submission: r.submission(s.opts.NotAfter), line: r.Line}
		n.accession = cell(r, sAccession, value.Accession)
		if n.accession != "" && s.filed[n.accession] != nil {
			s.repeated++
			r.Fail(r.names[sAccession] + " repeats an earlier submission: " + n.accession)
			f.refuse(r)
			continue
		}
		if n.refused = r.Fault() != ""; n.refused {
			f.refuse(r)
		}
		if n.accession == "" {
			continue
		}
		s.filed[n.accession] = n
		s.order = append(s.order, n)
		if len(s.order) > submissionsMax {
			return fmt.Errorf("%s: it has more than %d submissions, too many for a set", f.member.Name, submissionsMax)
		}
	}
	return nil
}

func isPrimary(r row) bool {
	yes, err := value.Truth(r.Cell(iPrimary))
	return err == nil && yes != nil && *yes
}

// join finds the submission that a row belongs to. A row whose submission is not to be had is at fault.
func (s *set) join(r row) *filed {
	accession := cell(r, 0, value.Accession) // the first field of every record
	if r.Fault() != "" {
		return nil
	}
	n := s.filed[accession]
	switch {
	case n == nil:
		r.Fail(r.names[0] + " belongs to no submission in this set: " + accession)
	case n.refused:
		r.Fail(r.names[0] + " belongs to an unusable submission: " + accession)
	default:
		return n
	}
	return nil
}

// offerings yields the submissions with their rows of the table of offerings. It quarantines those without such a row or without
// an issuer: every notice has both, so a table has lost rows.
func (s *set) offerings(yield func(*catalogapi.OfferingRow, error) bool) {
	f := s.tables["offering"]
	for r, err := range f.rows(s.ctx) {
		if err != nil {
			yield(nil, err)
			return
		}
		n := s.join(r)
		var o *catalogapi.OfferingRow
		switch {
		case n == nil:
		case n.given:
			s.repeated++
			r.Fail(r.names[oAccession] + " repeats an earlier offering: " + n.accession)
		case !n.issued:
			n.refused = true
			r.Fail(r.names[oAccession] + " has no row in the table ISSUERS: " + n.accession)
		default:
			o = r.offering(n.submission)
			n.refused = r.Fault() != ""
		}
		if r.Fault() != "" {
			f.refuse(r)
			continue
		}
		n.given = true
		if !yield(o, nil) {
			return
		}
	}
	f = s.tables["formdsubmission"]
	for _, n := range s.order {
		if !n.given && !n.refused {
			n.refused = true
			f.quarantine(n.line, "ACCESSIONNUMBER has no row in the table OFFERING: "+n.accession, []byte(n.accession))
		}
	}
}
