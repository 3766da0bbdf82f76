package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index/rowfile"
	"gpatlas/platform/database"
)

// servedRows are the services of funds as they come.
type servedRows struct {
	names  []namedRow
	funds  []string
	stated []int16
	ends   []int
	codes  []int32 // 8 * the id of a name + the role
}

// loadServices reads the firms that serve funds.
func loadServices(ctx context.Context, from rowfile.Querier) (r *servedRows, err error) {
	r = &servedRows{}
	rows, err := from.Query(ctx, "SELECT id, name, crd, lei FROM catalog.provider_names")
	if err != nil {
		return nil, fmt.Errorf("read providers: %w", err)
	}
	var n namedRow
	_, err = pgx.ForEachRow(rows, []any{&n.id, &n.Name, &n.CRD, &n.LEI}, func() error { r.names = append(r.names, n); return nil })
	if err != nil {
		return nil, fmt.Errorf("read providers: %w", err)
	}
	room := estimate(ctx, from, "catalog.fund_services")
	r.funds, r.stated, r.ends = make([]string, 0, room), make([]int16, 0, room), make([]int, 0, room)
	rows, err = from.Query(ctx, "SELECT fund_id, stated, services FROM catalog.fund_services")
	if err != nil {
		return nil, fmt.Errorf("read services: %w", err)
	}
	var fund string
	var stated int16
	var codes []int32
	_, err = pgx.ForEachRow(rows, []any{&fund, &stated, &codes}, func() error {
		r.funds, r.stated = append(r.funds, fund), append(r.stated, stated)
		r.codes = append(r.codes, codes...)
		r.ends = append(r.ends, len(r.codes))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read services: %w", err)
	}
	return r, nil
}

// book makes the providers of the rows.
func (r *servedRows) book(managers map[string]string) *providerBook {
	at := make(map[int32]int, len(r.names))
	for i := range r.names {
		at[r.names[i].id] = i
	}
	for _, code := range r.codes {
		if i, ok := at[code>>roleBits]; ok {
			r.names[i].funds++
		}
	}
	return newProviderBook(r.names, managers)
}

// of are the services of the open funds that an index has.
func (r *servedRows) of(book *providerBook, ix *fundIndex) *services {
	s := &services{book: book, stated: make([]uint8, ix.n), ends: make([]uint32, ix.n)}
	row := make([]int32, ix.n) // by fund: the place of its row, from 1 on
	for i, id := range r.funds {
		if fund, ok := ix.byFundID.Find(id); ok && ix.flags[fund]&flagOpen != 0 {
			row[fund] = int32(i + 1) // #nosec G115 -- below the number of funds
		}
	}
	s.codes = make([]uint32, 0, len(r.codes))
	for fund, i := range row {
		first := len(s.codes)
		if i > 0 {
			s.stated[fund] = uint8(r.stated[i-1]) // #nosec G115 -- five bits
			start := 0
			if i > 1 {
				start = r.ends[i-2]
			}
			for _, code := range r.codes[start:r.ends[i-1]] {
				s.add(first, book.named[code>>roleBits]<<roleBits|uint32(code)&roleMask) // #nosec G115 -- positive
			}
		}
		s.ends[fund] = uint32(len(s.codes)) // #nosec G115 -- below the number of services
	}
	return s
}

// add adds a service to those of a fund, which begin at first. A firm that a fund names twice in a role serves it once.
func (s *services) add(first int, code uint32) {
	if slices.Contains(s.codes[first:], code) {
		return
	}
	s.codes = append(s.codes, code)
}

// countClients counts the managers of each provider, and notes its roles.
func (s *services) countClients(ix *fundIndex) {
	last := make([]uint32, len(s.book.list)) // by provider: the last manager counted, from 1 on
	for _, fund := range ix.slots.fund {
		gp := ix.gp[fund]
		for _, code := range s.of(fund) {
			p := &s.book.list[code>>roleBits]
			p.roles |= 1 << (code & roleMask)
			if last[code>>roleBits] != gp+1 {
				last[code>>roleBits] = gp + 1
				p.GPs++
			}
		}
	}
}

// setServices adds the services of funds to a snapshot and to that of former managers, whose providers are the same.
func (s *Snapshot) setServices(r *servedRows) {
	managers := make(map[string]string, s.gps.n+s.former.gps.n)
	for _, of := range []*Snapshot{s.former, s} {
		for i := range of.gps.all {
			managers[of.gps.all[i].CRD] = of.gps.all[i].LegalName
		}
	}
	book := r.book(managers)
	s.services, s.former.services = r.of(book, s.funds), r.of(book, s.former.funds)
	s.services.countClients(s.funds)
	for _, of := range []*Snapshot{s, s.former} {
		of.services.setAnswers(of.funds, of.gps.n)
	}
}

// doubtful are the managers of each provider that may be a firm but is not Certain, by its code.
func (s *Snapshot) doubtful() map[uint32][]string {
	clients := map[uint32][]string{}
	for _, of := range []*Snapshot{s, s.former} {
		for _, fund := range of.funds.slots.fund {
			crd := of.gps.all[of.funds.gp[fund]].CRD
			for _, code := range of.services.of(fund) {
				provider := code >> roleBits
				if p := s.Provider(provider); p.Name != "" && !p.Certain() && !slices.Contains(clients[provider], crd) {
					clients[provider] = append(clients[provider], crd)
				}
			}
		}
	}
	return clients
}

// persons are the IDs of the providers that are or may be persons: those without a name that is a firm's, and those of few managers whose name may
// have a person's in it, or has the names of a person in the filings of these managers.
func (s *Snapshot) persons(ctx context.Context, db *database.DB) (ids []string, err error) {
	clients := s.doubtful()
	crds := slices.Collect(func(yield func(string) bool) {
		seen := map[string]bool{}
		for _, list := range clients {
			for _, crd := range list {
				if !seen[crd] && !yield(crd) {
					return
				}
				seen[crd] = true
			}
		}
	})
	var persons map[string][]string
	if err := db.InTx(ctx, func(ctx context.Context) (err error) {
		if _, err = database.Run(ctx, db, "set the timeout", "SET LOCAL statement_timeout = '"+loadTimeout+"'", nil); err != nil {
			return err
		}
		persons, err = history.Persons(database.WithStatementLimit(ctx, loadLimit), db, crds...)
		return err
	}); err != nil {
		return nil, err
	}
	for code := range s.services.book.list {
		p := &s.services.book.list[code]
		var named []string
		for _, crd := range clients[uint32(code)] { // #nosec G115 -- below the number of providers
			named = append(named, persons[crd]...)
		}
		if !p.Certain() && (p.Name == "" || p.Rare || slices.ContainsFunc(named, func(person string) bool { return derive.NamesPerson(p.Name, person) })) {
			ids = append(ids, p.ID)
		}
	}
	return ids, nil
}

// withhold marks the providers with these IDs, and hides them as auditors.
func (s *Snapshot) withhold(ids []string) {
	for _, id := range ids {
		s.services.book.list[s.services.book.byID[id]].Withheld = true
	}
	for _, of := range []*Snapshot{s, s.former} {
		for code, name := range of.funds.auditors.Words {
			if !s.ShowsAuditor(name) {
				of.funds.auditors.words[code] = nil
			}
		}
	}
}
