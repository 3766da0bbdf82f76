package catalogapi

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
)

// DisclosureFiling is one whole Form ADV of an adviser.
type DisclosureFiling struct {
	Accession string
	Date      time.Time
	Silent    []string // tables or columns that its document lacks
}

// Speaks reports whether the filing's document has the table of the disclosures of a family: only then does a missing page mean
// that the matter is no longer reported.
func (f *DisclosureFiling) Speaks(family DisclosureFamily) bool {
	return !slices.Contains(f.Silent, OfPart(TableDisclosures, family))
}

// StateDisclosures reports whether the newest of an adviser's whole filings states the disclosures of all families: only then is it known that there are
// no others now. Rosters and feeds have no disclosures. index/disclosures_answered.sql says the same of all advisers.
func StateDisclosures(whole []DisclosureFiling) bool {
	return len(whole) > 0 && !slices.ContainsFunc(DisclosureFamilies[:], func(family DisclosureFamily) bool { return !whole[len(whole)-1].Speaks(family) })
}

// DisclosurePlace is the position of a disclosure page.
type DisclosurePlace struct {
	Accession string `json:"accession"`
	Seq       int    `json:"seq"`
}

// DisclosureMention is the identity of one disclosure page's matter, and the page's position.
type DisclosureMention struct {
	Accession   string
	Seq         int
	Family      DisclosureFamily
	ReferenceID string
	CaseNumber  string
	Initiator   string // court, else who initiated it
	EventDate   string // YYYY-MM-DD or empty
	TextKey     string // digest of the allegations, for a page without ReferenceID, case number and date
}

// DisclosureMatter is one event with all filings that report it.
type DisclosureMatter struct {
	Key         string
	Newest      DisclosureMention // the page that is shown
	Named       DisclosureMention // the page whose affiliates are shown: the newest of a filing whose archive had their table
	First, Last int               // indexes into the filings
	Times       int
}

// Matters joins the pages of all filings, which are in the order in which they were made, into events.
//
// Spec: not shown; each filing repeats the manager's pages, amended or not. Pages with one ReferenceID are one matter. A page
// without one belongs to the matter of the same family with the same case number, court or initiator and date, with or without
// a ReferenceID. Pages with different ReferenceIDs stay apart even with one case number: a firm and its affiliate report the
// same case on a page each.
func Matters(filings []DisclosureFiling, mentions []DisclosureMention) []DisclosureMatter {
	order := make(map[string]int, len(filings))
	for i, f := range filings {
		order[f.Accession] = i
	}
	mentions = slices.DeleteFunc(slices.Clone(mentions), func(m DisclosureMention) bool {
		_, ok := order[m.Accession]
		return !ok
	})
	slices.SortFunc(mentions, func(a, b DisclosureMention) int {
		return cmp.Or(cmp.Compare(order[a.Accession], order[b.Accession]), cmp.Compare(a.Seq, b.Seq))
	})
	referenced := make(map[string]string) // by the identity of a page without ReferenceID: the key of its matter
	for _, m := range mentions {
		if other := m.circumstances(); m.ReferenceID != "" && (referenced[other] == "" || m.key() < referenced[other]) {
			referenced[other] = m.key()
		}
	}
	byKey := make(map[string]*DisclosureMatter)
	for _, m := range mentions {
		at, key := order[m.Accession], m.key()
		if m.ReferenceID == "" && m.identifiable() && referenced[key] != "" {
			key = referenced[key]
		}
		known := byKey[key]
		switch {
		case known == nil:
			byKey[key] = &DisclosureMatter{Key: key, Newest: m, Named: m, First: at, Last: at, Times: 1}
		case known.Last < at: // the first page of a filing is shown if it has several of one matter
			if known.Newest, known.Last = m, at; !slices.Contains(filings[at].Silent, TableImplicated) {
				known.Named = m
			}
			known.Times++
		}
	}
	list := make([]DisclosureMatter, 0, len(byKey))
	for _, m := range byKey {
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b DisclosureMatter) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// Lapsed returns the day of the first filing after the last one that reports the event, among those that state its family.
func (m *DisclosureMatter) Lapsed(filings []DisclosureFiling) (day time.Time, ok bool) {
	later := filings[m.Last+1:]
	i := slices.IndexFunc(later, func(f DisclosureFiling) bool { return f.Speaks(m.Newest.Family) })
	if i < 0 {
		return day, false
	}
	return later[i].Date, true
}

// EventID is the key of the event that responses show.
func (m *DisclosureMatter) EventID(crd string) string { return EventID(crd, m.Key) }

// EventID makes a key from a matter's identity.
func EventID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	return hex.EncodeToString(sum[:8])
}

// Names reports whether a row of a filing's advisory affiliates is of the page, which the row names by its ReferenceID and type.
func (m *DisclosureMention) Names(accession, referenceID, disclosureType string) bool {
	family := DisclosureFamilyOf(disclosureType)
	return m.ReferenceID != "" && referenceID == m.ReferenceID && accession == m.Accession && (family == "" || family == m.Family)
}

// Place is the page's position.
func (m *DisclosureMention) Place() DisclosurePlace { return DisclosurePlace{m.Accession, m.Seq} }

func (m *DisclosureMention) key() string {
	if m.ReferenceID != "" {
		return strings.Join([]string{string(m.Family), "reference", m.ReferenceID}, "\x1f")
	}
	return m.circumstances()
}

func (m *DisclosureMention) circumstances() string {
	return strings.Join([]string{string(m.Family), "case", Folded(m.CaseNumber), Folded(m.Initiator), m.EventDate, m.TextKey}, "\x1f")
}

// identifiable reports whether a page's details are enough to find its matter among those with a ReferenceID.
func (m *DisclosureMention) identifiable() bool {
	return m.CaseNumber != "" || m.EventDate != "" && m.Initiator != ""
}
