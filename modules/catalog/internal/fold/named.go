package fold

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/derive"
)

// Issuer is an issuer of Form D whose name may be that of a fund.
type Issuer struct {
	Key   derive.FundKey
	City  string // of its address, upper case; empty when it is not known
	State string
}

// NewIssuer makes an issuer of the parts of its name's key and of its address.
func NewIssuer(key, form string, city, state *string) Issuer {
	return Issuer{derive.FundKey{Name: key, Form: form}, Placed(city), Placed(state)}
}

// Bearer is a fund that may have an issuer's name.
type Bearer struct {
	FundID string
	CRD    string         // its adviser's
	Key    derive.FundKey // of its own name
	City   string         // of its adviser's main office, upper case; empty when it is not known
	State  string
}

// At sets the main office of the fund's adviser.
func (b *Bearer) At(office *Adviser) { b.City, b.State = Placed(office.City), Placed(office.State) }

// Names are the newest names of funds, by Fund ID.
type Names map[string]*named

type named struct {
	Filing // that states the name

	name string
}

// Add notes the name that a version states for a fund, unless a newer version is known.
func (n Names) Add(v *FundVersion) {
	if known := n[v.FundID]; known == nil {
		n[v.FundID] = &named{v.Filing, v.Name}
	} else if Order(&v.Filing, &known.Filing) > 0 {
		*known = named{v.Filing, v.Name}
	}
}

// Bearers returns the funds whose names have one of the keys, all with a key where keys is nil. Their advisers' offices are left to the caller.
func (n Names) Bearers(keys map[string]bool) (all []Bearer) {
	for id, v := range n {
		if key := derive.NameKey(v.name); keys == nil && key.Name != "" || keys[key.Name] {
			all = append(all, Bearer{FundID: id, CRD: v.CRD, Key: key})
		}
	}
	return all
}

// Numbered returns the chains of notices that file numbers join to funds, by Fund ID, and adds them to those of other funds, joined. A
// number that any filing gave of any notice of a chain joins the whole chain. chains are the chains by file number.
func Numbered[C comparable](versions []FundVersion, chains map[string]C, joined map[C]bool) map[string][]C {
	of := map[string][]C{}
	for i := range versions {
		v := &versions[i]
		if i > 0 && v.FundID == versions[i-1].FundID && slices.Equal(v.FormDFileNumbers, versions[i-1].FormDFileNumbers) {
			continue // most filings repeat the numbers
		}
		for _, number := range v.FormDFileNumbers {
			if chain, ok := chains[number]; ok && !slices.Contains(of[v.FundID], chain) {
				joined[chain], of[v.FundID] = true, append(of[v.FundID], chain)
			}
		}
	}
	return of
}

// Named returns the chains that the names of their issuers join to funds, by Fund ID: of the chains that no number joins to any fund.
func Named[C comparable](issuers map[C][]Issuer, joined map[C]bool, bearers []Bearer) map[string][]C {
	byKey := map[string][]Bearer{}
	for i := range bearers {
		key := bearers[i].Key.Name
		byKey[key] = append(byKey[key], bearers[i])
	}
	of := map[string][]C{}
	for chain, all := range issuers {
		if joined[chain] {
			continue
		}
		for i := range all {
			for _, fund := range ByName(&all[i], byKey[all[i].Key.Name]) {
				if !slices.Contains(of[fund], chain) {
					of[fund] = append(of[fund], chain)
				}
			}
		}
	}
	return of
}

// ByName returns the funds that an issuer is, of all funds with its name. Form D names no adviser, so the name must identify one fund:
// it is specific (it has a key), name and legal form are equal, and all funds with that name are of one adviser. If several advisers have
// such a fund, or one of the two names lacks its legal form, the issuer's address must be the main office of one of them. Otherwise
// there is none.
//
// Spec: not shown; "exact normalized name among the adviser's funds", and Form D does not name the adviser.
func ByName(i *Issuer, bearers []Bearer) (funds []string) {
	near := func(b *Bearer) bool {
		return i.City != "" && i.State != "" && b.City == i.City && b.State == i.State
	}
	var exact, exactNear []string // advisers
	var nearby []string           // funds
	for n := range bearers {
		b := &bearers[n]
		if !fits(i, b) {
			continue
		}
		if b.Key.Form == i.Key.Form {
			exact = append(exact, b.CRD)
			if near(b) {
				exactNear = append(exactNear, b.CRD)
			}
		}
		if near(b) {
			nearby = append(nearby, b.FundID)
		}
	}
	if exact == nil {
		if len(nearby) == 1 {
			return nearby
		}
		return nil
	}
	for n := range bearers {
		b := &bearers[n]
		if b.Key.Form == i.Key.Form && (oneOf(exact) || near(b) && oneOf(exactNear)) {
			funds = append(funds, b.FundID)
		}
	}
	return funds
}

// fits says that the legal forms of two names do not contradict each other.
func fits(i *Issuer, b *Bearer) bool {
	return b.Key.Form == i.Key.Form || b.Key.Form == "" || i.Key.Form == ""
}

// oneOf says that a list, which is not empty, has one value only.
func oneOf(crds []string) bool {
	return len(crds) > 0 && !slices.ContainsFunc(crds, func(crd string) bool { return crd != crds[0] })
}

// Placed is a place as issuers and offices are compared by.
func Placed(of *string) string { return strings.ToUpper(strings.Trim(value(of), " ")) }
