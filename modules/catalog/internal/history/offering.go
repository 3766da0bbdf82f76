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
// versions are all of the funds' that count, advisers what is known of the versions of advisers. What b has is read with them.
func (r *reader) notices(
	ctx context.Context, b *batch, versions []fold.FundVersion, advisers map[string][]fold.AdviserVersion, bounds *bounds,
) (map[string][]fold.Notice, error) {
	var j joins
	j.take(versions)
	var issuers []issuer
	var named []bearer
	if len(j.newest) > 0 {
		keys := slices.Collect(maps.Keys(j.byKey))
		statement, args := noticesSQL, database.Args{"numbers": slices.Collect(maps.Keys(j.byNumber)), "keys": keys, "day": bounds.limit}
		if !r.at.IsZero() {
			statement, args["known"] = strings.Replace(knownNoticesSQL, "{{relinked}}", RelinkedSQL, 1), r.known()
		}
		add(b, "read notices", statement, args, func(n *fold.Notice) { j.notices = append(j.notices, *n) })
		if len(keys) > 0 {
			r.issuers(b, keys, func(i issuer) { issuers = append(issuers, i) })
			r.named(b, keys, func(f *bearer) { named = append(named, *f) })
		}
	}
	if err := r.send(ctx, b); err != nil || len(j.notices) == 0 {
		return nil, err
	}
	fold.Chained(j.notices)
	of := j.numbered()
	if err := r.joinNamed(ctx, &j, of, issuers, named, advisers, bounds); err != nil {
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
func (r *reader) joinNamed(
	ctx context.Context, j *joins, of map[string][]string, issuers []issuer, named []bearer, advisers map[string][]fold.AdviserVersion,
	bounds *bounds,
) error {
	type edition struct {
		accession string
		restated  bool
	}
	chains := map[edition]string{}
	for i := range j.notices {
		if n := &j.notices[i]; len(of[n.Chain]) == 0 {
			chains[edition{n.Accession, n.Restated}] = n.Chain
		}
	}
	issuers = slices.DeleteFunc(issuers, func(i issuer) bool { return chains[edition{i.accession, i.restated}] == "" })
	if len(issuers) == 0 {
		return nil
	}
	var numbers []string
	for i := range j.notices {
		if n := &j.notices[i]; len(of[n.Chain]) == 0 && n.FileNumber != nil {
			numbers = append(numbers, *n.FileNumber)
		}
	}
	given, err := r.given(ctx, numbers, bounds)
	if err != nil {
		return err
	}
	taken := map[string]bool{} // chains that a number joins to another fund
	for i := range j.notices {
		if n := &j.notices[i]; n.FileNumber != nil && given[*n.FileNumber] {
			taken[n.Chain] = true
		}
	}
	keys := map[string]bool{}
	for _, i := range issuers {
		if !taken[chains[edition{i.accession, i.restated}]] {
			keys[i.Key.Name] = true
		}
	}
	var funds []string
	for _, f := range named {
		if keys[f.Key] {
			funds = append(funds, f.FundID)
		}
	}
	bearers, err := r.bearers(ctx, distinct(funds), j.newest, advisers, bounds)
	if err != nil {
		return err
	}
	for _, i := range issuers {
		chain := chains[edition{i.accession, i.restated}]
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
