package lp

import (
	"context"
	"slices"
	"strconv"
)

// The methods by which a manager is found. A match by the operator is always shown. Without a CRD it means that the manager is
// not in the catalog.
const (
	byFundName    = "fund_name"    // a fund of the catalog has the same name
	byFundSeries  = "fund_series"  // funds of the catalog belong to the same series: Fund IV and Fund VI
	byManagerName = "manager_name" // an adviser has the manager's name
	byOperator    = "operator"
)

// The confidences. Each is a judgement, not a measured share. A name alone is no match. What counts is a second piece of
// evidence: that fund and adviser begin with the same word, or that the list names the adviser.
const (
	sureFund   = 0.95 // the fund's whole name, and the adviser's name agrees
	sureBrand  = 0.85 // the fund's whole name of three words or more, and all funds that begin with its first word belong to one organization
	sureSeries = 0.85 // the series' name, and the adviser's name agrees
	sureFirm   = 0.85 // the manager's whole name of two words or more, of an adviser that manages private funds; no other adviser's name begins so
)

// Matched counts the results of a matching: matched investments by method.
type Matched struct {
	Investments int
	Matched     int
	ByMethod    map[string]int
	Changed     int64
}

// match is the manager found for an investment. Its zero value means none.
type match struct {
	Method     string
	CRD        string
	FundID     string
	Confidence float64
}

// firm is an adviser of the catalog.
type firm struct {
	crd       string
	canonical int64
	names     [][]string // the words of its legal and its business name
	funds     bool       // it is known to manage private funds
}

// wanted is an investment to be matched.
type wanted struct {
	ID      int64
	Fund    string
	Manager string

	fund, manager []string
}

// holder is a fund of the catalog by name.
type holder struct{ crd, fundID string }

// match matches all investments. For those that the operator has matched, the result is stored until the operator's match is
// undone.
func (s *Service) match(ctx context.Context) (Matched, error) {
	list, err := s.store.wanted(ctx)
	if err != nil || len(list) == 0 {
		return Matched{}, err
	}
	m, err := s.matcher(ctx, list)
	if err != nil {
		return Matched{}, err
	}
	done := Matched{Investments: len(list), ByMethod: make(map[string]int)}
	found := make([]match, len(list))
	for i := range list {
		found[i] = m.find(&list[i])
		if found[i].CRD != "" {
			done.Matched++
			done.ByMethod[found[i].Method]++
		}
	}
	done.Changed, err = s.store.setMatches(ctx, list, found)
	return done, err
}

// matcher finds managers. It holds only those funds of the catalog that match some investment's key.
type matcher struct {
	firms  map[string]*firm
	funds  map[string][]holder // by the key of the whole name
	series map[string][]holder // by the key of the series
	named  map[string][]string // CRDs of advisers by the key of a name without trade words
	begun  map[string][]string // CRDs of advisers by the words that their names begin with
	brands map[string][]string // CRDs of advisers by the first word of their funds
}

func (s *Service) matcher(ctx context.Context, list []wanted) (*matcher, error) {
	m := &matcher{
		firms: map[string]*firm{}, funds: map[string][]holder{}, series: map[string][]holder{}, named: map[string][]string{},
		begun: map[string][]string{}, brands: map[string][]string{},
	}
	for i := range list {
		w := &list[i]
		w.fund, w.manager = words(w.Fund), words(w.Manager)
		m.funds[key(w.fund)] = nil
		if len(w.fund) > 0 {
			m.brands[w.fund[0]] = nil
		}
		m.series[key(stem(w.fund))] = nil
		m.named[key(core(w.manager))] = nil
		m.begun[key(core(w.manager))] = nil
	}
	delete(m.series, "")
	delete(m.named, "")
	delete(m.funds, "")
	err := s.store.eachFirm(ctx, func(crd string, canonical int64, legal, business string, funds bool) {
		f := &firm{crd: crd, canonical: canonical, funds: funds}
		for _, name := range []string{legal, business} {
			own := words(name)
			if len(own) == 0 {
				continue
			}
			f.names = append(f.names, own)
			add(m.named, key(core(own)), crd)
			for n := 2; n <= len(own); n++ {
				add(m.begun, key(own[:n]), crd)
			}
		}
		m.firms[crd] = f
	})
	if err != nil {
		return nil, err
	}
	err = s.store.eachFund(ctx, func(fundID, crd, name string) {
		own := words(name)
		if m.firms[crd] == nil || len(own) == 0 {
			return
		}
		add(m.brands, own[0], crd)
		if k := key(own); asked(m.funds, k) {
			m.funds[k] = append(m.funds[k], holder{crd, fundID})
		}
		first := stem(own)
		if first == nil {
			first = own // the first of a series often has no number
		}
		if k := key(first); asked(m.series, k) {
			m.series[k] = append(m.series[k], holder{crd, ""})
		}
	})
	return m, err
}

// add adds a CRD under a key that some investment needs, once.
func add(to map[string][]string, key, crd string) {
	if asked(to, key) && !slices.Contains(to[key], crd) {
		to[key] = append(to[key], crd)
	}
}

func asked[T any](of map[string][]T, key string) bool {
	_, ok := of[key]
	return ok
}

// find returns the best match of an investment.
func (m *matcher) find(w *wanted) match {
	candidates := []match{m.byFund(w), m.bySeries(w), m.byManager(w)}
	best := match{}
	for _, c := range candidates {
		if c.Confidence > best.Confidence {
			best = c
		}
	}
	return best
}

// byFund looks for funds of the same name.
func (m *matcher) byFund(w *wanted) match {
	holders := m.funds[key(w.fund)]
	crd, agrees := m.one(w, holders)
	if crd == "" || len(w.fund) < 2 {
		return match{}
	}
	found := match{Method: byFundName, CRD: crd, FundID: oneFund(holders, crd)}
	switch {
	case agrees:
		found.Confidence = sureFund
	case len(w.fund) >= 3 && !slices.Contains(common, w.fund[0]) && m.organization(m.brands[w.fund[0]]) != "":
		found.Confidence = sureBrand
	default:
		return match{}
	}
	return found
}

// bySeries looks for funds of the same series.
func (m *matcher) bySeries(w *wanted) match {
	own := stem(w.fund)
	crd, agrees := m.one(w, m.series[key(own)])
	if !agrees || len(own) < 2 {
		return match{}
	}
	return match{Method: byFundSeries, CRD: crd, Confidence: sureSeries}
}

// byManager looks for advisers of the manager's name.
func (m *matcher) byManager(w *wanted) match {
	own := core(w.manager)
	crds := m.named[key(own)]
	if funded := slices.DeleteFunc(slices.Clone(crds), func(crd string) bool { return !m.firms[crd].funds }); len(funded) > 0 {
		crds = funded
	}
	crd := m.organization(crds)
	if crd == "" || len(own) < 2 || !m.firms[crd].funds || !m.firms[crd].is(w.manager) && m.organization(m.begun[key(own)]) == "" {
		return match{}
	}
	return match{Method: byManagerName, CRD: crd, Confidence: sureFirm}
}

// one returns the only organization that holds the funds; if there are several, the only one whose name agrees with the
// investment's. agrees reports whether it does.
func (m *matcher) one(w *wanted, holders []holder) (crd string, agrees bool) {
	var all, agreeing []string
	for _, h := range holders {
		f := m.firms[h.crd]
		if f == nil || slices.Contains(all, h.crd) {
			continue
		}
		all = append(all, h.crd)
		if f.agrees(w) {
			agreeing = append(agreeing, h.crd)
		}
	}
	if crd := m.organization(agreeing); crd != "" {
		return crd, true
	}
	if len(agreeing) > 0 {
		return "", false
	}
	return m.organization(all), false
}

// organization returns the adviser that represents all of some advisers if they are one organization: the one with the most
// data, else the first. Otherwise it returns nothing.
func (m *matcher) organization(crds []string) string {
	if len(crds) == 0 {
		return ""
	}
	of := m.firms[crds[0]].canonical
	for _, crd := range crds {
		if m.firms[crd].canonical != of {
			return ""
		}
	}
	if head := strconv.FormatInt(of, 10); slices.Contains(crds, head) {
		return head
	}
	return slices.Min(crds)
}

// agrees reports whether the adviser's name is that of the investment's manager, or begins like its fund or its manager.
func (f *firm) agrees(w *wanted) bool {
	for _, own := range f.names {
		if begins(own, w.fund) || begins(own, w.manager) || len(w.manager) > 1 && key(core(own)) == key(core(w.manager)) ||
			len(own) > 1 && len(w.fund) > 1 && own[0] == w.fund[0] && own[1] == w.fund[1] {
			return true
		}
	}
	return false
}

// is reports whether it is the adviser's name, word by word.
func (f *firm) is(manager []string) bool {
	return slices.ContainsFunc(f.names, func(own []string) bool { return slices.Equal(own, manager) })
}

// oneFund returns the adviser's fund if there is exactly one.
func oneFund(holders []holder, crd string) (id string) {
	for _, h := range holders {
		switch {
		case h.crd != crd || h.fundID == "" || h.fundID == id:
		case id != "":
			return ""
		default:
			id = h.fundID
		}
	}
	return id
}
