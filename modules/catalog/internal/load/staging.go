package load

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unique"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

// refused marks, in the key maps, a record that was read but not accepted: its children are refused too.
const refused int32 = -1

// progressEvery is how many rows pass between two calls of Progress.
const progressEvery = 2000

// Tags of the tables in fingerprints.
const (
	tagFiling byte = iota + 1
	tagOrganisation
	tagWebsite
	tagTypes
	tagFund
	tagAuditor
	tagFormD
	tagLists
	tagSilent
)

// staging numbers the document's filings and funds, refuses what cannot be loaded, and remembers of each record just
// enough to tell a repeated row from a contradiction. About a hundred bytes a row stay in memory; the rows go to the
// database.
type staging struct {
	doc  catalogapi.Document
	opts catalogapi.LoadOptions
	rows int64

	filings    []filingState
	byKey      map[string]int32 // the document's key → number
	byAccess   map[string]int32 // accession → number
	duplicates int64            // filings repeated word for word
	repeated   int64            // filings and funds that repeat the key of an earlier one, whatever else they say
	childRows  map[string]int64 // rows kept by child table

	crds       map[string]struct{} // of the filings
	filingRows spool               // the filings, in the order of their numbers, up to what the other tables complete

	funds      []digest // fingerprint by number
	fundRows   spool    // the funds, likewise
	fundIDs    []uint64 // Fund ID by number
	silences   silences
	byFund     map[fundKey]int32
	byRef      map[refKey]int32
	fundsNamed map[uint64]struct{}
	auditors   *lists // by fund
	numbers    *lists // Form D's, by fund

	lastKey string // the filing found last, for the rows of one mostly follow one another
	last    int32
	lastRef refKey // likewise
	lastNo  int32

	missingTables []string // the lists whose tables the document does not have

	scratch rowBuffer
	texts   [2][]string
}

// filingState is what is gathered of a filing while its document passes.
type filingState struct {
	name    string // its accession
	crd     string
	own     digest // of the filing's row
	all     digest // of everything in the document that hangs on it
	org     *organisation
	types   []string
	typed   bool
	website string
	silent  []string
}

// silences are the different lists of fields that the funds of a document are silent about; each fund has one of them.
type silences struct {
	lists [][]string
	last  []string // as the document gave it
	at    int32    // its place
	of    []int32  // by fund: its place in lists
}

// add notes the list of the next fund, and gives it as it counts: with missing, the fields of tables that are not there.
func (s *silences) add(fields, missing []string) []string {
	same := len(s.lists) > 0 && len(fields) == len(s.last) && (len(fields) == 0 || &fields[0] == &s.last[0])
	if !same {
		all := slices.Concat(fields, missing)
		slices.Sort(all)
		all = slices.Compact(all)
		at := slices.IndexFunc(s.lists, func(l []string) bool { return slices.Equal(l, all) })
		if at < 0 {
			at = len(s.lists)
			s.lists = append(s.lists, all)
		}
		s.last, s.at = fields, int32(at) // there are fewer lists than funds, which are counted so
	}
	s.of = append(s.of, s.at)
	return s.lists[s.at]
}

type organisation struct {
	row     digest
	columns [orgColumns]unique.Handle[string]
}

type fundKey struct {
	filing int32
	fund   uint64
}

type refKey struct {
	filing int32
	ref    string
}

func newStaging(doc catalogapi.Document, opts catalogapi.LoadOptions) *staging {
	s := &staging{
		doc: doc, opts: opts,
		byKey: map[string]int32{}, byAccess: map[string]int32{},
		byFund: map[fundKey]int32{}, byRef: map[refKey]int32{}, fundsNamed: map[uint64]struct{}{},
		childRows: map[string]int64{}, crds: map[string]struct{}{},
		auditors: newLists(), numbers: newLists(), texts: [2][]string{make([]string, 0, 8), make([]string, 0, 8)},
	}
	for _, t := range childTables() {
		if !t.present(&doc) {
			s.missingTables = append(s.missingTables, t.lists()...)
		}
	}
	return s
}

func (s *staging) read() {
	s.rows++
	if s.rows%progressEvery == 0 && s.opts.Progress != nil {
		s.opts.Progress(s.rows)
	}
}

// reject hands a row to the quarantine; raw is what is left of it to find it by, joined only here.
func (s *staging) reject(file string, line int, raw []string, reason string, args ...any) {
	if file == "" {
		file = s.doc.Name
	}
	s.opts.Reject(catalogapi.Rejected{File: file, Line: line, Raw: strings.Join(raw, ","), Reason: fmt.Sprintf(reason, args...)})
}

// filingOf finds the number of a filing by the document's key.
func (s *staging) filingOf(key string) (no int32, known bool) {
	if key == s.lastKey && key != "" {
		return s.last, true
	}
	if no, known = s.byKey[key]; known {
		s.lastKey, s.last = key, no
	}
	return no, known
}

// fundOf finds the number of a filing's fund by its reference.
func (s *staging) fundOf(ref refKey) (no int32, known bool) {
	if ref == s.lastRef && ref.ref != "" {
		return s.lastNo, true
	}
	if no, known = s.byRef[ref]; known {
		s.lastRef, s.lastNo = ref, no
	}
	return no, known
}

// parent finds the number of a child's filing, or refuses the child.
func (s *staging) parent(key, file string, line int, raw []string) (int32, bool) {
	no, known := s.filingOf(key)
	switch {
	case !known:
		s.reject(file, line, raw, "FilingID %q is not among the filings of this document", key)
		return 0, false
	case no == refused:
		s.reject(file, line, raw, "the filing %q that the row belongs to was rejected", key)
		return 0, false
	}
	return no, true
}

// organisation keeps base B with its filing. A second row of a filing must repeat the first.
func (s *staging) organisation(o *catalogapi.OrganisationRow) error {
	s.read()
	raw := []string{o.FilingKey, o.OrgForm, o.FiscalYearEnd, o.OrgState, o.OrgCountry}
	no, ok := s.parent(o.FilingKey, o.File, o.Line, raw)
	if !ok {
		return nil
	}
	var r rowBuffer
	r.text(o.OrgForm)
	r.text(o.FiscalYearEnd)
	r.text(o.OrgState)
	r.text(o.OrgCountry)
	row := r.fingerprint(tagOrganisation, 0)
	f := &s.filings[no]
	if f.org != nil {
		if f.org.row != row {
			s.reject(o.File, o.Line, raw, "FilingID %q has an earlier row with other values", o.FilingKey)
		}
		return nil
	}
	f.org = &organisation{row: row, columns: [orgColumns]unique.Handle[string]{
		unique.Make(o.OrgForm), unique.Make(o.FiscalYearEnd), unique.Make(o.OrgState), unique.Make(o.OrgCountry),
	}}
	f.all.add(row)
	return nil
}

// website keeps the first address that is the firm's own.
func (s *staging) website(w *catalogapi.WebsiteRow) error {
	s.read()
	no, ok := s.parent(w.FilingKey, w.File, w.Line, []string{w.FilingKey, w.Website})
	if !ok || s.filings[no].website != "" {
		return nil
	}
	if site, own := derive.Website(w.Website); own {
		s.setWebsite(no, site)
	}
	return nil
}

func (s *staging) setWebsite(no int32, site string) {
	var r rowBuffer
	r.text(site)
	s.filings[no].website = strings.Clone(site)
	s.filings[no].all.add(r.fingerprint(tagWebsite, 0))
}

// types keeps what the filing-types table marks. A second row of a filing must repeat the first.
func (s *staging) types(t *catalogapi.FilingTypeRow) error {
	s.read()
	joined := strings.Join(t.Types, ",")
	no, ok := s.parent(t.FilingKey, t.File, t.Line, []string{t.FilingKey, joined})
	if !ok {
		return nil
	}
	f := &s.filings[no]
	if f.typed {
		if strings.Join(f.types, ",") != joined {
			s.reject(t.File, t.Line, []string{t.FilingKey, joined}, "FilingID %q has an earlier row with other types", t.FilingKey)
		}
		return nil
	}
	f.typed, f.types = true, make([]string, 0, len(t.Types))
	for _, name := range t.Types {
		f.types = append(f.types, unique.Make(name).Value())
	}
	var r rowBuffer
	r.list(f.types)
	f.all.add(r.fingerprint(tagTypes, 0))
	return nil
}

var errTooMany = errors.New("a document holds at most 2,147,483,647 filings or funds")

// close lets go of what was kept outside of memory.
func (s *staging) close() {
	s.filingRows.close()
	s.fundRows.close()
}
