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
	//go:embed issuers.sql
	issuersSQL string
	//go:embed of_a_fund.sql
	ofAFundSQL string
)

// OfAFund is the condition in SQL that a notice is that of a fund.
func OfAFund(notice string) string { return strings.ReplaceAll(ofAFundSQL, "o.", notice+".") }

// namedSQL finds the funds that bear or bore names, by the names' keys.
const namedSQL = `SELECT name_key, fund_id FROM catalog.funds WHERE name_key = ANY (@keys)
UNION ALL SELECT name_key, fund_id FROM catalog.fund_former_names WHERE name_key = ANY (@keys)`

// notices reads the notices of funds that count as of a moment, by fund, joined as the loader would have joined them then.
// versions are all of the funds' that count. What b has is read with them.
func (r *reader) notices(ctx context.Context, b *batch, versions []fold.FundVersion) (map[string][]fold.Notice, error) {
	var j joins
	j.take(versions)
	var issuers []issuer
	if len(j.newest) > 0 {
		keys := slices.Collect(maps.Keys(j.byKey))
		statement, args := noticesSQL, database.Args{"numbers": slices.Collect(maps.Keys(j.byNumber)), "keys": keys, "day": r.day()}
		if !r.moment.Known.IsZero() {
			statement, args["known"] = strings.Replace(knownNoticesSQL, "{{relinked}}", RelinkedSQL, 1), r.known()
		}
		add(b, "read notices", statement, args, func(n *fold.Notice) { j.notices = append(j.notices, *n) })
		if len(keys) > 0 {
			r.issuers(b, keys, func(i *issuer) { issuers = append(issuers, *i) })
			add(b, "look for funds by name", namedSQL, database.Args{"keys": keys}, func(f *bearer) { j.bearers = append(j.bearers, *f) })
		}
	}
	if err := r.send(ctx, b); err != nil || len(j.notices) == 0 {
		return nil, err
	}
	fold.Chained(j.notices)
	of := j.numbered()
	if err := r.joinNamed(ctx, &j, of, issuers); err != nil {
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

// issuer is an issuer with its notice.
type issuer struct {
	Accession string  `gorm:"column:accession"`
	Name      string  `gorm:"column:name_key"`
	Form      string  `gorm:"column:name_form"`
	City      *string `gorm:"column:city"`
	State     *string `gorm:"column:state"`
	Restated  bool    `gorm:"column:restated"` // it stands in an edition that was replaced
}

// issuers adds the reading of the issuers that bear names, of notices that stand and of those that were restated since, as they
// stood. The notice of an operating company has no fund.
func (r *reader) issuers(b *batch, keys []string, take func(i *issuer)) {
	statement := strings.ReplaceAll(issuersSQL, "{{of a fund}}", ofAFundSQL)
	add(b, "read issuers", statement, database.Args{"keys": keys, "known": r.known()}, take)
}

// bearer is a fund that bears or bore a name.
type bearer struct {
	Key    string `gorm:"column:name_key"`
	FundID string `gorm:"column:fund_id"`
}

// joins is what notices are joined to funds by.
type joins struct {
	newest   map[string]*fold.FundVersion // by fund
	byNumber map[string][]string          // funds by file number
	byKey    map[string][]string          // funds by the key of their names
	bearers  []bearer                     // of these names
	notices  []fold.Notice
}

func (j *joins) take(versions []fold.FundVersion) {
	j.newest, j.byNumber, j.byKey = map[string]*fold.FundVersion{}, map[string][]string{}, map[string][]string{}
	for i := range versions {
		v := &versions[i]
		j.name(v)
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

// name notes a version if it is the newest of its fund.
func (j *joins) name(v *fold.FundVersion) {
	if newest := j.newest[v.FundID]; newest == nil || fold.Order(&v.Filing, &newest.Filing) > 0 {
		j.newest[v.FundID] = v
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
func (r *reader) joinNamed(ctx context.Context, j *joins, of map[string][]string, issuers []issuer) error {
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
	asked := map[string][]fold.Issuer{} // by chain
	keys := map[string]bool{}
	for _, i := range issuers {
		if chain := chains[edition{i.Accession, i.Restated}]; chain != "" {
			key := derive.FundKey{Name: i.Name, Form: i.Form}
			asked[chain], keys[i.Name] = append(asked[chain], fold.Issuer{Key: key, City: fold.Placed(i.City), State: fold.Placed(i.State)}), true
		}
	}
	if len(asked) == 0 {
		return nil
	}
	numbers := map[string]string{} // chains by number
	for i := range j.notices {
		if n := &j.notices[i]; n.FileNumber != nil && asked[n.Chain] != nil {
			numbers[*n.FileNumber] = n.Chain
		}
	}
	var funds []string // that are not known yet
	for _, f := range j.bearers {
		if keys[f.Key] && j.newest[f.FundID] == nil {
			funds = append(funds, f.FundID)
		}
	}
	if len(funds) > 0 || len(numbers) > 0 {
		versions, err := r.namers(ctx, distinct(funds), slices.Collect(maps.Keys(numbers)))
		if err != nil {
			return err
		}
		for i := range versions {
			v := &versions[i]
			for _, number := range v.FormDFileNumbers {
				delete(asked, numbers[number]) // a number joins its chain to another fund
			}
			j.name(v)
		}
	}
	bearers := r.bearers(j, keys)
	for chain, issuers := range asked {
		for i := range issuers {
			for _, fund := range fold.ByName(&issuers[i], bearers[issuers[i].Key.Name]) {
				if !slices.Contains(of[chain], fund) {
					of[chain] = append(of[chain], fund)
				}
			}
		}
	}
	return nil
}

// bearers are the funds that were called by names, by the keys of these, with where their advisers sat.
func (r *reader) bearers(j *joins, asked map[string]bool) map[string][]fold.Bearer {
	out := map[string][]fold.Bearer{}
	for id, v := range j.newest {
		if key := derive.NameKey(v.Name); asked[key.Name] {
			at := fold.Office(r.records[v.CRD].Versions)
			out[key.Name] = append(out[key.Name], fold.Bearer{FundID: id, CRD: v.CRD, Form: key.Form, City: fold.Placed(at.City), State: fold.Placed(at.State)})
		}
	}
	return out
}
