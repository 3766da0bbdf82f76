package history

import (
	"context"
	_ "embed"
	"maps"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

var (
	//go:embed notices.sql
	noticesSQL string
	//go:embed known_notices.sql
	knownNoticesSQL string
	// RelinkedSQL finds the chains that were larger before a notice was restated with another file number or previous
	// accession: with them, the chains that stand hold all those of any instant.
	//go:embed relinked.sql
	RelinkedSQL string
)

// notices reads the notices of funds that count as of a moment, by fund, joined as the loader would have joined them then.
// versions are the funds' own that count.
func (r *reader) notices(ctx context.Context, versions []fold.FundVersion, b *bounds) (map[string][]fold.Notice, error) {
	var j joins
	j.take(versions)
	if len(j.newest) == 0 {
		return nil, nil
	}
	var err error
	statement, args := noticesSQL, database.Args{
		"numbers": slices.Collect(maps.Keys(j.byNumber)), "keys": slices.Collect(maps.Keys(j.byKey)), "day": b.limit,
	}
	if !r.at.IsZero() {
		statement, args["known"] = strings.Replace(knownNoticesSQL, "{{relinked}}", RelinkedSQL, 1), r.known()
	}
	j.notices, err = collect[fold.Notice](ctx, r, "read notices", statement, args)
	if err != nil || len(j.notices) == 0 {
		return nil, err
	}
	fold.Chained(j.notices)
	of := j.numbered()
	if err := r.joinNamed(ctx, &j, of, b); err != nil {
		return nil, err
	}
	out := map[string][]fold.Notice{}
	for _, n := range j.notices {
		for _, fund := range of[n.Chain] {
			out[fund] = append(out[fund], n)
		}
	}
	return out, nil
}

// joins is what notices are joined to funds by.
type joins struct {
	newest   map[string]*fold.FundVersion // by fund
	byNumber map[string][]string          // funds by file number
	byKey    map[string][]string          // funds by the key of their names
	notices  []fold.Notice
}

func (j *joins) take(versions []fold.FundVersion) {
	j.newest, j.byNumber, j.byKey = map[string]*fold.FundVersion{}, map[string][]string{}, map[string][]string{}
	for i := range versions {
		v := &versions[i]
		if newest := j.newest[v.FundID]; newest == nil || fold.Order(&v.Filing, &newest.Filing) > 0 {
			j.newest[v.FundID] = v
		}
		for _, number := range v.FormDFileNumbers {
			if !slices.Contains(j.byNumber[number], v.FundID) {
				j.byNumber[number] = append(j.byNumber[number], v.FundID)
			}
		}
	}
	for fund, v := range j.newest {
		if key := derive.NameKey(v.Name); key.Name != "" {
			j.byKey[key.Name] = append(j.byKey[key.Name], fund)
		}
	}
}

// numbered gives the funds of each chain by file number. A number of any notice joins its whole chain.
func (j *joins) numbered() map[string][]string {
	of := map[string][]string{}
	for i := range j.notices {
		n := &j.notices[i]
		if n.FileNumber == nil {
			continue
		}
		for _, fund := range j.byNumber[*n.FileNumber] {
			if !slices.Contains(of[n.Chain], fund) {
				of[n.Chain] = append(of[n.Chain], fund)
			}
		}
	}
	return of
}

// joinNamed adds the funds of the chains that no number joins to any fund, by the names of their issuers.
func (r *reader) joinNamed(ctx context.Context, j *joins, of map[string][]string, b *bounds) error {
	if len(j.byKey) == 0 {
		return nil
	}
	chains := map[string]string{} // by accession
	var standing, restated []string
	for i := range j.notices {
		n := &j.notices[i]
		if len(of[n.Chain]) > 0 {
			continue
		}
		chains[n.Accession] = n.Chain
		if n.Restated {
			restated = append(restated, n.Accession)
		} else {
			standing = append(standing, n.Accession)
		}
	}
	issuers, err := r.issuers(ctx, standing, restated, slices.Collect(maps.Keys(j.byKey)))
	if err != nil || len(issuers) == 0 {
		return err
	}
	var numbers []string
	for i := range j.notices {
		if n := &j.notices[i]; chains[n.Accession] != "" && n.FileNumber != nil {
			numbers = append(numbers, *n.FileNumber)
		}
	}
	given, err := r.given(ctx, numbers, b)
	if err != nil {
		return err
	}
	taken := map[string]bool{} // chains that a number joins to another fund
	for i := range j.notices {
		if n := &j.notices[i]; n.FileNumber != nil && given[*n.FileNumber] {
			taken[n.Chain] = true
		}
	}
	var keys []string
	for _, i := range issuers {
		if !taken[chains[i.accession]] {
			keys = append(keys, i.Key.Name)
		}
	}
	bearers, err := r.bearers(ctx, keys, b)
	if err != nil {
		return err
	}
	for _, i := range issuers {
		chain := chains[i.accession]
		if taken[chain] {
			continue
		}
		for _, fund := range fold.ByName(&i.Issuer, bearers[i.Key.Name]) {
			if !slices.Contains(of[chain], fund) {
				of[chain] = append(of[chain], fund)
			}
		}
	}
	return nil
}
