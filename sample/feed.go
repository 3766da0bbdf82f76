package sample

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// The daily compilation of firms is the one file that is a snapshot: every adviser that still files, with what its newest
// filing says, as attributes named after the form's questions.

// feedItem is one element of Part 1A: its attributes, and the base table's columns in which their values stand.
type feedItem struct {
	name       string
	attributes []feedAttribute
}

type feedAttribute struct{ name, column string }

// question takes a column of items 5 to 11 apart: item, its letter, the rest.
var question = regexp.MustCompile(`^([5-9]|10|11)([A-L]?)(.*)$`)

// feedItems derives the elements from the columns of the base table: "8C1" is Q8C1 of Item8C, "5D1f" is Q5DF1 of Item5D.
func feedItems() []feedItem {
	list := []feedItem{
		{"Item3A", []feedAttribute{{"OrgFormNm", "3A"}, {"OrgFormOthNm", "3A-Other"}}},
		{"Item3B", []feedAttribute{{"Q3B", "3B"}}},
		{"Item3C", []feedAttribute{{"StateCD", "3C-State"}, {"CntryNm", "3C-Country"}}},
	}
	for _, column := range headerBaseA {
		m := question.FindStringSubmatch(column)
		if m == nil {
			continue
		}
		name := "Q" + strings.ToUpper(strings.ReplaceAll(column, "-Other", "Oth"))
		name = strings.Replace(name, "OTH", "Oth", 1)
		switch {
		case strings.Contains(column, "-Description"), column == "5D1n-Other":
			continue
		case column == "5A":
			name = "TtlEmp"
		case column == "5H-Number":
			name = "Q5HMT500"
		case m[1]+m[2] == "5D":
			name = "Q5D" + strings.ToUpper(m[3][1:]) + m[3][:1]
		}
		item := "Item" + m[1] + m[2]
		if n := len(list) - 1; list[n].name != item {
			list = append(list, feedItem{name: item})
		}
		n := len(list) - 1
		list[n].attributes = append(list[n].attributes, feedAttribute{name, column})
	}
	return list
}

// markup writes elements in ISO 8859-1.
type markup struct {
	out *bufio.Writer
	buf []byte
}

func (m *markup) raw(s string) { _, _ = m.out.WriteString(s) } // the error comes with Flush

// value writes text with the five characters escaped, and line breaks kept.
func (m *markup) value(s string) {
	m.buf = m.buf[:0]
	for _, r := range s {
		switch r {
		case '&':
			m.buf = append(m.buf, "&amp;"...)
		case '<':
			m.buf = append(m.buf, "&lt;"...)
		case '>':
			m.buf = append(m.buf, "&gt;"...)
		case '"':
			m.buf = append(m.buf, "&quot;"...)
		case '\r', '\n':
			m.buf = append(append(append(m.buf, "&#"...), strconv.Itoa(int(r))...), ';')
		default:
			m.buf = append(m.buf, byte(r)) // #nosec G115 -- all text is Latin-1, a test sees to it
		}
	}
	_, _ = m.out.Write(m.buf) // the error comes with Flush
}

func (m *markup) attribute(name, value string) {
	m.raw(" ")
	m.raw(name)
	m.raw(`="`)
	m.value(value)
	m.raw(`"`)
}

// element is one without content, its attributes as pairs of name and value.
func (m *markup) element(name string, pairs ...string) {
	m.raw("<" + name)
	for pair := range slices.Chunk(pairs, 2) {
		m.attribute(pair[0], pair[1])
	}
	m.raw("/>")
}

// feed writes the compilation of the last day.
func (p *plan) feed(ctx context.Context, dir string) (done Archive, err error) {
	path := filepath.Join(dir, "IA_FIRM_SEC_Feed_"+lastDay.time().Format("01_02_2006")+".xml.gz")
	f, err := os.OpenFile(path+".part", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) // #nosec G304 -- the folder is the caller's
	if err != nil {
		return done, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(path+".part"))
		}
	}()
	pack, err := gzip.NewWriterLevel(f, 5) // without name and time: the bytes are the same each time
	if err != nil {
		return done, err
	}
	m := &markup{out: bufio.NewWriterSize(pack, 1<<16)}
	firms, err := p.firms(ctx, m)
	if err != nil {
		return done, err
	}
	if err = errors.Join(m.out.Flush(), pack.Close()); err != nil {
		return done, err
	}
	info, err := f.Stat()
	if err != nil {
		return done, err
	}
	if err := f.Close(); err != nil {
		return done, errors.Join(err, os.Remove(path+".part"))
	}
	done = Archive{Path: path, Kind: KindFeed, Bytes: info.Size(), Filings: firms, Tables: []Table{{"Firm", firms}}}
	return done, os.Rename(path+".part", path)
}

func (p *plan) firms(ctx context.Context, m *markup) (firms int, err error) {
	m.raw(`<?xml version="1.0" encoding="ISO-8859-1"?>` + "\n" + `<IAPDFirmSECReport GenOn="` + lastDay.time().Format("2006-01-02") + `"><Firms>` + "\n")
	w, items := newWriter(p, dialect{}), feedItems()
	for i := range p.advisers {
		if i%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if a := &p.advisers[i]; a.active() {
			w.firm(m, items, a)
			firms++
		}
	}
	m.raw("</Firms></IAPDFirmSECReport>\n")
	return firms, nil
}

// secRegions are the SEC's offices by state; elsewhere none is named.
var secRegions = map[string]string{
	"NY": "NYRO", "NJ": "NYRO", "MA": "BRO", "CT": "BRO", "IL": "CHRO", "MI": "CHRO", "OH": "CHRO", "CA": "SFRO", "WA": "SFRO",
	"TX": "FWRO", "CO": "DRO", "UT": "SLRO", "PA": "PLRO", "FL": "MIRO", "GA": "ARO",
}

func (w *writer) firm(m *markup, items []feedItem, a *adviser) {
	i := len(a.filings) - 1
	registered := a.registeredAt(i)
	w.look(a, i)
	s := w.era
	if registered {
		s = w.baseA
		w.answerRegistered(a, i)
	} else {
		w.answerExempt(a, i)
	}
	n, o := a.nameAt(i), a.officeAt(i)
	umbrella := "N"
	if registered && a.siblings > 1 && a.first == a.index {
		umbrella = "Y"
	}
	m.raw("<Firm>")
	m.element("Info", "SECRgnCD", secRegions[o.city.state], "FirmCrdNb", strconv.Itoa(a.crd), "SECNb", a.secNumberAt(i),
		"BusNm", n.business, "LegalNm", n.legal, "UmbrRgstn", umbrella)
	m.address(o)
	m.raw("<MailingAddr/>")
	m.registration(a, registered)
	if registered {
		m.raw("<NoticeFiled>")
		for _, column := range headerBaseB {
			if state, ok := strings.CutPrefix(column, "2-"); ok && w.baseB.get(column) == "Y" {
				m.element("States", "RgltrCd", state, "St", "FILED", "Dt", iso(a.filings[max(a.applied, 0)].on))
			}
		}
		m.raw("</NoticeFiled>")
	}
	m.element("Filing", "Dt", iso(a.filings[i].on), "FormVrsn", formVersion(a.filings[i].on))
	m.raw("<FormInfo><Part1A>")
	m.item1(s, a)
	if registered {
		m.items("Item2A", w.baseB, regexp2A)
	} else {
		m.raw("<Item2A/>")
		m.items("Item2B", w.era, regexp2B)
	}
	for _, item := range items {
		from := s
		if registered && strings.HasPrefix(item.name, "Item3") {
			from = w.baseB
		}
		m.item(item, from)
	}
	m.raw("</Part1A></FormInfo></Firm>\n")
}

func (m *markup) address(o officeSince) {
	if o.private {
		m.element("MainAddr", "Strt1", "", "Strt2", "", "City", "", "State", "", "Cntry", "", "PostlCd", "", "PhNb", o.phone, "FaxNb", "")
		return
	}
	m.element("MainAddr", "Strt1", strings.ToUpper(o.street1), "Strt2", strings.ToUpper(o.street2), "City", strings.ToUpper(o.city.name),
		"State", o.city.state, "Cntry", o.city.country, "PostlCd", o.postal, "PhNb", o.phone, "FaxNb", "")
}

// registration is the status: approved, approved for 120 days, or an exempt adviser's.
func (m *markup) registration(a *adviser, registered bool) {
	kind, status, since := "ERA", "ACTIVE", a.filings[0].on
	if registered {
		kind, status = "Registered", "APPROVED"
		if a.applied > 0 {
			since = a.filings[a.applied].on
		}
		if a.index%71 == 9 {
			status = "120-DAY APPROVAL"
		}
	}
	m.element("Rgstn", "FirmType", kind, "St", status, "Dt", iso(since))
}

var (
	regexp2A = regexp.MustCompile(`^2A\d+$`)
	regexp2B = regexp.MustCompile(`^2B\d+$`)
)

// items writes the columns that match as attributes of one element.
func (m *markup) items(name string, s *sheet, match *regexp.Regexp) {
	m.raw("<" + name)
	for i, column := range s.columns {
		if match.MatchString(column) {
			m.attribute("Q"+column, s.answers[i].text)
		}
	}
	m.raw("/>")
}

// item writes an element. What is not answered has no attribute; exempt advisers have not even the columns of most.
func (m *markup) item(item feedItem, s *sheet) {
	m.raw("<" + item.name)
	for _, at := range item.attributes {
		if v := s.get(at.column); v != "" {
			m.attribute(at.name, v)
		}
	}
	m.raw("/>")
}

func (m *markup) item1(s *sheet, a *adviser) {
	m.raw("<Item1")
	for _, column := range []string{"1F5", "1I", "1M", "1N", "1O"} {
		m.attribute("Q"+column, s.get(column))
	}
	m.attribute("Q1ODesc", "")
	if a.lei != "" {
		m.attribute("Q1P", a.lei)
	}
	sites := a.sites()
	if len(sites) == 0 {
		m.raw("/>")
		return
	}
	m.raw("><WebAddrs>")
	for _, site := range sites {
		m.raw("<WebAddr>")
		m.value(site)
		m.raw("</WebAddr>")
	}
	m.raw("</WebAddrs></Item1>")
}

// iso is a day as the feed writes it.
func iso(on day) string { return on.time().Format("2006-01-02") }
