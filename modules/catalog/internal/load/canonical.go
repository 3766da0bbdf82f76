package load

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/derive"
)

// regroup updates canonical_gp_id of the advisers whose organization may have changed.
//
// Two advisers are one organization when
//   - they share the website domain and the stem of their names (umbrella registration, relying advisers), or
//   - one of them names the other by its CRD number as a related person that it controls, is controlled by or is under
//     common control with (Schedule D 7.A of its newest whole form), and they share the stem of their names or the website
//     domain; this ties affiliates whose website is another or unknown,
//
// and so on from one to the next. The organization's id is the smallest CRD number of its advisers. Other relations
// in 7.A tie no advisers: custodians, brokers and sponsors are related to many unrelated firms, and have other names. A number
// with a typing error identifies an unrelated firm, which has another name too.
//
// Overrides come before these rules: merged advisers are one organization, and an adviser that is set to be alone is tied only
// by merges.
//
// Spec: not shown; neither the domain alone (hosted sites, networks), nor the name alone, nor the relation alone is enough.
func (s *session) regroup(ctx context.Context) error {
	if err := s.run(ctx, "canonical"); err != nil {
		return err
	}
	members, err := s.members(ctx)
	if err != nil {
		return err
	}
	links, err := s.ties(ctx)
	if err != nil {
		return err
	}
	var out rowBuffer
	for i, first := range organizations(members, links) {
		if id := members[first].number; id != members[i].canonical {
			out.begin()
			out.text(members[i].crd)
			out.integer(id)
			out.end()
		}
	}
	if len(out.buf) == 0 {
		return nil
	}
	if err := s.copyIn(ctx, "d_canonical", out.reader()); err != nil {
		return err
	}
	return s.run(ctx, "write_canonical")
}

// member is an adviser whose organization is looked for.
type member struct {
	crd          string
	number       int64 // the CRD as a number
	canonical    int64 // the current one
	domain, stem string
	alone        bool // the filings tie it to no other adviser
}

// tie is a relation between two advisers, by their numbers. corrected: by an override.
type tie struct {
	a, b      int64
	corrected bool
}

// members reads n_member in the order of CRD numbers.
func (s *session) members(ctx context.Context) ([]member, error) {
	rows, err := s.query(ctx, "canonical_members")
	if err != nil {
		return nil, fmt.Errorf("catalog load: read organizations: %w", err)
	}
	members, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (m member, err error) {
		return m, row.Scan(&m.crd, &m.number, &m.canonical, &m.domain, &m.stem, &m.alone)
	})
	if err != nil {
		return nil, fmt.Errorf("catalog load: read organizations: %w", err)
	}
	return members, nil
}

// ties reads the relations among the members.
func (s *session) ties(ctx context.Context) ([]tie, error) {
	rows, err := s.query(ctx, "canonical_ties")
	if err != nil {
		return nil, fmt.Errorf("catalog load: read related persons: %w", err)
	}
	links, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (l tie, err error) {
		return l, row.Scan(&l.a, &l.b, &l.corrected)
	})
	if err != nil {
		return nil, fmt.Errorf("catalog load: read related persons: %w", err)
	}
	return links, nil
}

// organizations groups members, sorted by number, by what they share and by the relations between them. The result has
// for each member the index of the first member of its organization.
func organizations(members []member, links []tie) []int {
	type shared struct{ domain, stem string }
	first := make(map[shared]int, len(members))
	at := make(map[int64]int, len(members))
	groups := derive.NewSets(len(members))
	for i, m := range members {
		at[m.number] = i
		if m.alone || m.domain == "" || m.stem == "" {
			continue
		}
		if k, known := first[shared{m.domain, m.stem}]; known {
			groups.Join(k, i)
		} else {
			first[shared{m.domain, m.stem}] = i
		}
	}
	for _, l := range links {
		i, knownA := at[l.a]
		k, knownB := at[l.b]
		if !knownA || !knownB {
			continue
		}
		a, b := &members[i], &members[k]
		filed := !a.alone && !b.alone && (derive.Firm{Domain: a.domain, Stem: a.stem}).Tied(derive.Firm{Domain: b.domain, Stem: b.stem}, true)
		if l.corrected || filed {
			groups.Join(i, k)
		}
	}
	return groups.Leaders()
}
