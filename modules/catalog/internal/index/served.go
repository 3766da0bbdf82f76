package index

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/column"
)

const roleCount = len(catalogapi.ServiceRoles)

// ServiceMatch is the part of a search that speaks of the firms that serve a fund. One service of the fund must satisfy Providers and Roles.
// Closed funds have no services, and satisfy none of it.
type ServiceMatch struct {
	Providers []string       // IDs, any of them; empty = all, withheld ones too
	Roles     []string       // any of them; empty = all
	Has       [roleCount]Tri // by role: whether the fund names a firm or person in it. Where no filing answers this, neither holds
	hits      *column.Set    // what find has found, if it has
}

// Empty reports whether nothing is asked.
func (m *ServiceMatch) Empty() bool { return !m.named() && m.Has == [roleCount]Tri{} }

func (m *ServiceMatch) named() bool { return len(m.Providers) > 0 || len(m.Roles) > 0 }

// find returns the funds with a service that satisfies Providers and Roles of m. An ID that is not known finds nothing, and one of a provider
// that is withheld must do the same: anyone can make the ID of a person's name.
func (s *services) find(m *ServiceMatch) *column.Set {
	if m.hits != nil {
		return m.hits
	}
	var wanted [1 << roleBits]bool // by role
	for role, name := range Roles {
		wanted[role] = len(m.Roles) == 0 || slices.Contains(m.Roles, name)
	}
	providers := column.NewBits(len(s.book.list))
	for _, id := range m.Providers {
		if code, ok := s.book.byID[id]; ok && !s.book.list[code].Withheld {
			providers.Set(code)
		}
	}
	var funds []uint32
	start := uint32(0)
	for fund, end := range s.ends {
		for _, code := range s.codes[start:end] {
			if wanted[code&roleMask] && (len(m.Providers) == 0 || providers.Has(code>>roleBits)) {
				funds = append(funds, uint32(fund)) // #nosec G115 -- a number of a fund
				break
			}
		}
		start = end
	}
	return column.NewSet(funds, len(s.ends))
}

// answer is whether a fund names a firm or person in a role.
func (s *services) answer(fund uint32, role int) Tri {
	if s.stated[fund]&(1<<role) == 0 {
		return Any
	}
	if slices.ContainsFunc(s.of(fund), func(code uint32) bool { return int(code&roleMask) == role }) {
		return Yes
	}
	return No
}

// setAnswers makes the sets of the funds, and of the managers of these funds, whose filings answer who has a role.
func (s *services) setAnswers(ix *fundIndex, advisers int) {
	for role := range roleCount {
		s.has[role] = filed(ix.n, func(fund uint32) Tri { return s.answer(fund, role) })
		for _, want := range []Tri{Yes, No} {
			s.gpHas[role][want] = ix.owners(s.has[role][want], advisers)
		}
	}
}

// owners is the set of the managers of funds.
func (ix *fundIndex) owners(funds *column.Set, advisers int) *column.Set {
	gps := column.NewBits(advisers)
	for _, fund := range funds.AppendAll(nil) {
		if gp := ix.gp[fund]; gp != noGP {
			gps.Set(gp)
		}
	}
	return column.BitsSet(gps, gps.Count())
}

// sets returns the sets of the funds that satisfy the parts of m.
func (s *services) sets(m *ServiceMatch) (sets []*column.Set) {
	for role, want := range m.Has {
		if want != Any {
			sets = append(sets, s.has[role][want])
		}
	}
	if m.named() {
		sets = append(sets, s.find(m))
	}
	return sets
}

// fundConds appends what m asks of funds.
func (s *services) fundConds(conds []column.Cond, m *ServiceMatch) []column.Cond {
	for _, set := range s.sets(m) {
		conds = append(conds, column.InSet(set))
	}
	return conds
}

// slotConds appends what m asks of slots.
func (s *services) slotConds(conds []column.Cond, m *ServiceMatch, slots *slotIndex) []column.Cond {
	for _, set := range s.sets(m) {
		conds = append(conds, column.InSet(column.SetWhere(len(slots.fund), func(i uint32) bool { return set.Has(slots.fund[i]) })))
	}
	return conds
}

// gpConds appends what an adviser must satisfy to have one fund that satisfies all of m.
func (s *services) gpConds(conds []column.Cond, m *ServiceMatch, ix *fundIndex, advisers int) []column.Cond {
	if m.Empty() {
		return conds
	}
	conds = appendAnswers(conds, m.Has[:], s.gpHas[:])
	if m.named() {
		conds = append(conds, column.InSet(ix.owners(s.find(m), advisers)))
	}
	return conds
}

// ServedBy returns the names of the firms that have a role for a fund, sorted, without those that are withheld.
func (s *Snapshot) ServedBy(fund uint32, role string) (names []string) {
	for _, code := range s.services.of(fund) {
		if p := s.Provider(code >> roleBits); Roles[code&roleMask] == role && !p.Withheld {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}
