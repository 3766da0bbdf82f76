package index

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
)

// Roles are the roles of firms that serve funds, by their numbers.
var Roles = catalogapi.ServiceRoles[:]

const (
	roleBits = catalogapi.ServiceRoleBits
	roleMask = 1<<roleBits - 1
)

// Provider is a firm that serves funds.
//
// Spec: not shown; rows with one CRD number are one firm, and otherwise rows with one LEI, and otherwise rows with one name, in which case,
// punctuation and the spelling of legal forms do not count. A name without a number that other rows have with exactly one CRD number is that
// firm. Nothing else is united: "Birch Audit LLC" and "Birch Audit LLP" are two firms, because one firm in two rows is a smaller mistake
// than two firms in one.
type Provider struct {
	ID    string // "prv_" and sixteen letters and digits, made of what unites its rows
	Name  string // as most funds write it; empty: it is or may be a person
	CRD   string
	LEI   string
	GPs   int   // managers with an open fund that it serves
	isGP  bool  // Name is the legal name of a manager: that with the CRD number, or one that is called so
	Rare  bool  // Name may be a person's or have one in it, unless several managers name the firm
	roles uint8 // bit n: it has the role n for an open fund
	// Withheld reports whether it is or may be a person: see persons.
	Withheld bool
}

// manyClients is how many managers a provider with a firm's name needs to be shown without a comparison with the persons in their filings. A
// large bank may have the name of one of their officers.
const manyClients = 3

// HasRole reports whether the provider has a role for an open fund.
func (p *Provider) HasRole(role int) bool { return p.roles&(1<<role) != 0 }

// Certain reports whether the provider is a firm, whatever persons the filings of its clients name.
func (p *Provider) Certain() bool { return p.isGP || p.Name != "" && p.GPs >= manyClients }

// FiledProvider is a firm as a filing writes it.
type FiledProvider struct{ Name, CRD, LEI string }

// services are the firms that serve the open funds of a snapshot.
type services struct {
	book   *providerBook
	stated []uint8  // by fund: bit n is set if a filing answers who has the role n
	ends   []uint32 // by fund: the end of its services in codes
	codes  []uint32 // the provider, and in the lowest bits the role
	// by role and Tri: the funds whose filings name a firm or person in the role or none, and the managers of these funds
	has, gpHas [roleCount][3]*column.Set
}

// of are the services of a fund.
func (s *services) of(fund uint32) []uint32 {
	start := uint32(0)
	if fund > 0 {
		start = s.ends[fund-1]
	}
	return s.codes[start:s.ends[fund]]
}

// providerBook is all providers, those of former managers and of earlier filings too.
type providerBook struct {
	list  []Provider
	words [][]string
	byKey map[string]uint32
	crdOf map[string]string // by the key of a name: the only CRD number that it has
	named map[int32]uint32  // by id of catalog.provider_names
	firms map[string]bool   // the names of firms without their legal forms
	byID  map[string]uint32
}

// key is what unites the rows of a provider.
func (b *providerBook) key(f *FiledProvider) string {
	name := text.Key(f.Name)
	switch {
	case f.CRD != "":
		return "crd " + f.CRD
	case f.LEI != "":
		return "lei " + strings.ToUpper(f.LEI)
	case b.crdOf[name] != "":
		return "crd " + b.crdOf[name]
	}
	return "name " + name
}

// namedRow is a row of catalog.provider_names.
type namedRow struct {
	id int32
	FiledProvider
	funds int // open ones
}

// newProviderBook makes the providers of filed names, which it sorts. managers are the legal names of managers by CRD number.
func newProviderBook(rows []namedRow, managers map[string]string) *providerBook {
	b := &providerBook{byKey: map[string]uint32{}, crdOf: map[string]string{}, named: make(map[int32]uint32, len(rows)), byID: map[string]uint32{}, firms: map[string]bool{}}
	several := map[string]bool{}
	for i := range rows {
		if derive.ShowsFirm(rows[i].Name, nil) {
			b.firms[stemOf(rows[i].Name)] = true
		}
		name, crd := text.Key(rows[i].Name), rows[i].CRD
		if crd == "" || several[name] {
			continue
		}
		if other := b.crdOf[name]; other != "" && other != crd {
			several[name] = true
			delete(b.crdOf, name)
			continue
		}
		b.crdOf[name] = crd
	}
	slices.SortFunc(rows, func(a, b namedRow) int { // the most used spelling first; of equal ones, small letters before capitals
		return cmp.Or(cmp.Compare(b.funds, a.funds), strings.Compare(b.Name, a.Name), strings.Compare(a.CRD, b.CRD), strings.Compare(a.LEI, b.LEI))
	})
	for i := range rows {
		r := &rows[i]
		key := b.key(&r.FiledProvider)
		code, known := b.byKey[key]
		if !known {
			code = uint32(len(b.list)) // #nosec G115 -- below the number of rows
			b.byKey[key] = code
			b.list = append(b.list, Provider{ID: providerID(key)})
			b.byID[b.list[code].ID] = code
		}
		b.named[r.id] = code
		p := &b.list[code]
		switch firm := b.isFirm(r.Name); {
		case firm && (p.Name == "" || p.Rare):
			p.Name, p.Rare = r.Name, false
		case p.Name == "" && (b.firms[stemOf(r.Name)] || derive.NamesFirm(r.Name) && !derive.NamesVehicle(r.Name)):
			p.Name, p.Rare = r.Name, true
		}
		p.CRD, p.LEI = cmp.Or(p.CRD, r.CRD), cmp.Or(p.LEI, r.LEI)
	}
	legal := make(map[string]bool, len(managers))
	for _, name := range managers {
		legal[text.Key(name)] = true
	}
	b.words = make([][]string, len(b.list))
	for i := range b.list {
		p := &b.list[i]
		if name := managers[p.CRD]; name != "" {
			p.Name = name
		}
		p.isGP = p.Name != "" && (managers[p.CRD] != "" || p.Rare && legal[text.Key(p.Name)])
		b.words[i] = text.Words(b.list[i].Name)
	}
	return b
}

// isFirm reports whether a name is a firm's: it has the signs of one, or is the name of one without its legal form. Two words or more without a
// legal form may be a person's name, too.
func (b *providerBook) isFirm(name string) bool {
	stem := stemOf(name)
	return derive.ShowsFirm(name, nil) || b.firms[stem] && !strings.Contains(stem, " ")
}

func stemOf(name string) string {
	return strings.Join(catalogapi.WithoutFormsAtEnd(text.Words(name)), " ")
}

// providerID is the public ID of what unites the rows of a provider.
func providerID(key string) string {
	const size = 10 // bytes: base32 writes them as sixteen letters and digits
	sum := sha256.Sum256([]byte(key))
	return "prv_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:size]))
}

// Provider returns the provider of a code.
func (s *Snapshot) Provider(code uint32) *Provider { return &s.services.book.list[code] }

// FindProvider returns the code of the provider with an ID.
func (s *Snapshot) FindProvider(id string) (code uint32, ok bool) {
	code, ok = s.services.book.byID[id]
	return code, ok
}

// ProviderNamed returns the code of the provider with a name, given by its ID in catalog.provider_names.
func (s *Snapshot) ProviderNamed(id int32) (code uint32, ok bool) {
	code, ok = s.services.book.named[id]
	return code, ok
}

// ProviderOf returns the provider of a filed row. One that the snapshot does not have yet is made of the row alone.
func (s *Snapshot) ProviderOf(f *FiledProvider) Provider {
	key := s.services.book.key(f)
	if code, ok := s.services.book.byKey[key]; ok {
		return s.services.book.list[code]
	}
	p := Provider{ID: providerID(key), CRD: f.CRD, LEI: f.LEI}
	if s.services.book.isFirm(f.Name) {
		p.Name = f.Name
	}
	return p
}

// ShowsAuditor reports whether the name of a fund's auditor may be shown: it is that of a provider that is not withheld.
//
// Spec: not shown; an auditor may be a person, who is named nowhere for free.
func (s *Snapshot) ShowsAuditor(name string) bool {
	p := s.ProviderOf(&FiledProvider{Name: name})
	return p.Name != "" && !p.Withheld
}

// EveryProvider returns the codes of the providers that words find, also of those that serve no open fund.
func (s *Snapshot) EveryProvider(query string) (codes []uint32) {
	terms := text.Words(query)
	for code, words := range s.services.book.words {
		if len(words) > 0 && len(terms) > 0 && !slices.ContainsFunc(terms, func(t string) bool { return !begun(words, t) }) {
			codes = append(codes, uint32(code)) // #nosec G115 -- below the number of providers
		}
	}
	return codes
}

// NamesOf returns the IDs of the names of some providers in catalog.provider_names.
func (s *Snapshot) NamesOf(codes []uint32) (names []int32) {
	wanted := make([]bool, len(s.services.book.list))
	for _, code := range codes {
		wanted[code] = true
	}
	for name, code := range s.services.book.named {
		if wanted[code] {
			names = append(names, name)
		}
	}
	return names
}

// MatchProviders returns the providers that serve open funds and whose name has, for every word of query, a word that begins with it. Those with
// most managers come first. role is the number of a role, or below 0 for all.
func (s *Snapshot) MatchProviders(query string, role int) (codes []uint32) {
	b := s.services.book
	for _, code := range s.EveryProvider(query) {
		if p := &b.list[code]; p.roles != 0 && (role < 0 || p.HasRole(role)) {
			codes = append(codes, code)
		}
	}
	slices.SortStableFunc(codes, func(x, y uint32) int { return b.compare(x, y, cmp.Compare(b.list[y].GPs, b.list[x].GPs)) })
	return codes
}

// compare completes an order of providers: ties by name, then by ID.
func (b *providerBook) compare(x, y uint32, first int) int {
	return cmp.Or(first, strings.Compare(b.list[x].Name, b.list[y].Name), strings.Compare(b.list[x].ID, b.list[y].ID))
}
