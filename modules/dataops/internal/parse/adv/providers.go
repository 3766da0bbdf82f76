package adv

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// providers streams the five tables of those that serve a fund.
func (d *document) providers() iter.Seq2[*catalogapi.ProviderRow, error] {
	sites, marketer := &siteIndex{}, provider(catalogapi.RoleMarketer)
	marketing := source[catalogapi.ProviderRow]{
		name: marketers,
		convert: func(row *table.Row, filing string) *catalogapi.ProviderRow {
			p := marketer(row, filing)
			p.Website = sites.of(p, row.Text(colProviderSub))
			return p
		},
		begin: func(k kind) error { return sites.load(d, k) },
		end:   func(kind) { sites.reject(d) },
	}
	return sequence(d,
		plain(partners, provider(catalogapi.RoleGeneralPartner)),
		plain(primeBrokers, provider(catalogapi.RolePrimeBroker)),
		plain(custodians, provider(catalogapi.RoleCustodian)),
		plain(administrators, provider(catalogapi.RoleAdministrator)),
		marketing)
}

func provider(role catalogapi.ProviderRole) convert[catalogapi.ProviderRow] {
	return func(row *table.Row, filing string) *catalogapi.ProviderRow {
		return &catalogapi.ProviderRow{
			FilingKey:    filing,
			ReferenceID:  row.Required(colReferenceID),
			Role:         role,
			Name:         providerName(row),
			BusinessName: row.Text(colProviderBusiness),
			CRD:          value.Loose(value.CRD(row.Cell(colProviderCRD))),
			SECNumber:    row.Text(colProviderSEC),
			LEI:          value.LEI(row.Cell(colProviderLEI)),
			City:         row.Word(colProviderCity),
			State:        row.Word(colProviderState),
			Country:      row.Word(colProviderCountry),
			Related:      value.Loose(value.Flag(row.Cell(colProviderRelated))),
			File:         row.File,
			Line:         row.Line,
		}
	}
}

// providerName returns the name, and the primary business name of a custodian that files no other.
func providerName(row *table.Row) string {
	if name := row.Word(colProviderName); name != "" {
		return name
	}
	if business := row.Word(colProviderBusiness); business != "" {
		return business
	}
	return row.Required(colProviderName)
}

// siteIndex holds a website of each marketer of one kind of filings, until its marketer comes.
//
// Spec: not shown; of several it is the first in alphabetical order, because the order of the rows means nothing.
type siteIndex struct{ chosen map[string]*site }

// site is one marketer's website, with its piece and line.
type site struct {
	address string
	piece   *piece
	line    int
	claimed bool
}

// siteKey joins a website to its marketer. The parts cannot run into each other, because none contains a line feed.
func siteKey(filing, reference, sub string) string { return filing + "\n" + reference + "\n" + sub }

// before compares addresses, in which capitals make no difference.
func before(a, b string) bool {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b)) < 0
}

// load reads the websites. They must all be known before the first marketer is given.
func (x *siteIndex) load(d *document, k kind) error {
	x.chosen = make(map[string]*site)
	for _, p := range d.tables[tableID{k, marketerSites}] {
		var failure error
		read := func(row *table.Row, filing string) *site {
			reference, address := row.Required(colReferenceID), row.Required(colSiteAddress)
			if row.Fault() != "" {
				return nil
			}
			d.joined++
			id := siteKey(filing, reference, row.Text(colSiteSub))
			if other := x.chosen[id]; other == nil || before(address, other.address) {
				x.chosen[id] = &site{address: address, piece: p, line: row.Line}
			}
			return x.chosen[id]
		}
		each(d, k, p, marketerSites, read, func(_ *site, err error) bool { failure = err; return err == nil })
		if failure != nil {
			return failure
		}
	}
	return nil
}

func (x *siteIndex) of(p *catalogapi.ProviderRow, sub string) string {
	s := x.chosen[siteKey(p.FilingKey, p.ReferenceID, sub)]
	if s == nil {
		return ""
	}
	s.claimed = true
	return s.address
}

// reject quarantines the websites whose marketer is in no row.
func (x *siteIndex) reject(d *document) {
	var lost []*site
	for _, s := range x.chosen {
		if !s.claimed {
			lost = append(lost, s)
		}
	}
	slices.SortFunc(lost, func(a, b *site) int {
		return cmp.Or(strings.Compare(a.piece.file.Name, b.piece.file.Name), cmp.Compare(a.line, b.line))
	})
	for _, s := range lost {
		d.opts.Reject(catalogapi.Rejected{
			File: s.piece.file.Name, Line: s.line, Reason: "No marketer of its filing has the website's ReferenceID and SubreferenceID",
			Raw: s.address,
		})
		d.joined-- // counted as rejected
	}
	x.chosen = nil
}
