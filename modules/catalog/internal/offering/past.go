package offering

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
)

// past is the notices of a manager's funds as of a day, each with one fund.
type past struct {
	notices []filed
	others  map[string][]string // other funds of the manager that a notice matches, by accession
}

func asOf(day time.Time) history.AsOf {
	return history.AsOf{Point: catalogapi.Point{Moment: catalogapi.Moment{Day: day}}}
}

// at reads the offerings as of a past day, with the fields that store.list reads. It returns nil if the manager has no filing up to that day.
// It groups notices into offerings, and finds their funds, with the notices and filings up to that day alone.
func (s *Service) at(ctx context.Context, crd, fund string, day time.Time) (*past, error) {
	state, of, err := s.filed.NoticesAt(ctx, crd, asOf(day))
	if err != nil || state == nil {
		return nil, err
	}
	slices.SortStableFunc(state.Funds, func(a, b fold.Fund) int { // they are by Fund ID
		return cmp.Compare(rank(&a), rank(&b))
	})
	joined, status, then := map[string]*filed{}, map[string]string{}, &past{others: map[string][]string{}}
	for i := range state.Funds {
		f := &state.Funds[i]
		for _, n := range of[f.FundID] {
			then.others[n.Accession] = append(then.others[n.Accession], f.FundID)
			if f.FundID != fund && (fund != "" || joined[n.Accession] != nil) {
				continue
			}
			by := "file_number"
			if n.Named {
				by = "name"
			}
			joined[n.Accession], status[n.Accession] = &filed{Chain: n.Chain, FundID: f.FundID, CRD: crd, MatchedBy: by}, f.Status
		}
	}
	if len(joined) == 0 {
		return then, nil
	}
	accessions := slices.Collect(maps.Keys(joined))
	statuses := make([]string, len(accessions)) // of the funds; read makes stages of them
	for i, accession := range accessions {
		statuses[i] = status[accession]
	}
	then.notices, err = s.store.read(ctx, accessions, statuses, day)
	for i := range then.notices {
		n := &then.notices[i]
		j := joined[n.Accession]
		n.Chain, n.FundID, n.CRD, n.MatchedBy = j.Chain, j.FundID, j.CRD, j.MatchedBy
		others := slices.DeleteFunc(then.others[n.Accession], func(id string) bool { return id == n.FundID })
		slices.SortFunc(others, strings.Compare)
		then.others[n.Accession] = others
	}
	return then, err
}

// rank puts closed funds behind the others.
func rank(f *fold.Fund) int {
	if f.Status == catalogapi.FundClosed {
		return 1
	}
	return 0
}
