package history

import (
	"context"
	_ "embed"
	"maps"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

var (
	//go:embed notices.sql
	noticesSQL string
	//go:embed known_notices.sql
	knownNoticesSQL string
	// RelinkedSQL finds the chains that were larger before a notice was restated with another file number or previous
	// accession: with them, the current chains include all chains of any instant.
	//go:embed relinked.sql
	RelinkedSQL string
	//go:embed issuers.sql
	issuersSQL string
	//go:embed of_a_fund.sql
	ofAFundSQL string
)

// OfAFund is the condition in SQL that a notice is that of a fund.
func OfAFund(notice string) string { return strings.ReplaceAll(ofAFundSQL, "o.", notice+".") }

// namedSQL finds the funds that have or had names, by the names' keys.
const namedSQL = `SELECT name_key, fund_id FROM catalog.funds WHERE name_key = ANY (@keys)
UNION ALL SELECT name_key, fund_id FROM catalog.fund_former_names WHERE name_key = ANY (@keys)`

// notices reads the notices of funds that count as of a moment, by fund, joined as the loader would have joined them then.
// The lists of versions have all of the funds' that count; a fund may be in several. What b has is read with them.
func (r *reader) notices(ctx context.Context, b *batch, lists ...[]fold.FundVersion) (map[string][]fold.Notice, error) {
	if r.noticed != nil {
		return r.noticed.of(lists), r.send(ctx, b)
	}
	j := joins{names: fold.Names{}, joined: map[string]bool{}}
	keys, numbers := map[string]bool{}, map[string]bool{}
	for _, versions := range lists {
		for i := range versions {
			j.names.Add(&versions[i])
			for _, number := range versions[i].FormDFileNumbers {
				numbers[number] = true
			}
		}
	}
	for _, fund := range j.names.Bearers(nil) {
		keys[fund.Key.Name] = true
	}
	if len(j.names) > 0 {
		j.read(r, b, slices.Collect(maps.Keys(keys)), slices.Collect(maps.Keys(numbers)))
	}
	if err := r.send(ctx, b); err != nil || len(j.notices) == 0 {
		return nil, err
	}
	fold.Chained(j.notices)
	j.number()
	of := map[string][]string{}
	for _, versions := range lists {
		maps.Copy(of, fold.Numbered(versions, j.byNumber, j.joined))
	}
	named, err := r.named(ctx, &j)
	if err != nil {
		return nil, err
	}
	byChain := map[string][]fold.Notice{}
	for i := range j.notices {
		byChain[j.notices[i].Chain] = append(byChain[j.notices[i].Chain], j.notices[i])
	}
	out := map[string][]fold.Notice{}
	for fund, chains := range of {
		for _, chain := range chains {
			out[fund] = append(out[fund], byChain[chain]...)
		}
	}
	for fund, chains := range named {
		for _, chain := range chains {
			for _, n := range byChain[chain] {
				n.Named = true
				out[fund] = append(out[fund], n)
			}
		}
	}
	return out, nil
}

// of are the notices of the funds of versions, by fund.
func (n *Noticed) of(lists [][]fold.FundVersion) map[string][]fold.Notice {
	all := map[string][]fold.Notice{}
	for _, versions := range lists {
		for i := range versions {
			if fund := versions[i].FundID; i == 0 || fund != versions[i-1].FundID {
				all[fund] = n.Of(fund)
			}
		}
	}
	return all
}

// joins is what notices are joined to funds by.
type joins struct {
	names    fold.Names
	bearers  []bearer // of the keys of these names
	issuers  []issuer // likewise
	notices  []fold.Notice
	byNumber map[string]string // chains by file number
	joined   map[string]bool   // the chains that a number joins to a fund
}

// issuer is an issuer with its notice.
type issuer struct {
	Accession string  `gorm:"column:accession"`
	Name      string  `gorm:"column:name_key"`
	Form      string  `gorm:"column:name_form"`
	City      *string `gorm:"column:city"`
	State     *string `gorm:"column:state"`
	Restated  bool    `gorm:"column:restated"` // it is in an edition that was replaced
}

// bearer is a fund that has or had a name.
type bearer struct {
	Key    string `gorm:"column:name_key"`
	FundID string `gorm:"column:fund_id"`
}

// read adds statements for the notices with some file numbers or names of issuers, and for the issuers and funds with these names. It
// reads current notices, and earlier editions of restated ones. The notice of an operating company has no fund.
func (j *joins) read(r *reader, b *batch, keys, numbers []string) {
	statement, args := noticesSQL, database.Args{"numbers": numbers, "keys": keys, "day": r.day()}
	if !r.moment.Known.IsZero() {
		statement, args["known"] = strings.Replace(knownNoticesSQL, "{{relinked}}", RelinkedSQL, 1), r.known()
	}
	statement = strings.ReplaceAll(statement, "{{sold out}}", fold.SoldOutSQL)
	add(b, "read notices", statement, args, func(n *fold.Notice) { j.notices = append(j.notices, *n) })
	if len(keys) > 0 {
		statement = strings.ReplaceAll(issuersSQL, "{{of a fund}}", ofAFundSQL)
		add(b, "read issuers", statement, database.Args{"keys": keys, "known": r.known()}, func(i *issuer) { j.issuers = append(j.issuers, *i) })
		add(b, "look for funds by name", namedSQL, database.Args{"keys": keys}, func(f *bearer) { j.bearers = append(j.bearers, *f) })
	}
}

// number finds the chains of the notices' file numbers.
func (j *joins) number() {
	j.byNumber = map[string]string{}
	for i := range j.notices {
		if n := &j.notices[i]; n.FileNumber != nil {
			j.byNumber[*n.FileNumber] = n.Chain
		}
	}
}

// named returns the chains that the names of their issuers join to funds, by fund. It reads the other funds with such names, and those that
// numbers join to these chains.
func (r *reader) named(ctx context.Context, j *joins) (map[string][]string, error) {
	type edition struct {
		accession string
		restated  bool
	}
	chains := map[edition]string{}
	for i := range j.notices {
		if n := &j.notices[i]; !j.joined[n.Chain] {
			chains[edition{n.Accession, n.Restated}] = n.Chain
		}
	}
	issuers, keys := map[string][]fold.Issuer{}, map[string]bool{} // by chain
	for _, i := range j.issuers {
		if chain := chains[edition{i.Accession, i.Restated}]; chain != "" {
			issuers[chain], keys[i.Name] = append(issuers[chain], fold.NewIssuer(i.Name, i.Form, i.City, i.State)), true
		}
	}
	if len(issuers) == 0 {
		return nil, nil
	}
	var numbers, funds []string
	for number, chain := range j.byNumber {
		if issuers[chain] != nil {
			numbers = append(numbers, number)
		}
	}
	for _, f := range j.bearers {
		if keys[f.Key] && j.names[f.FundID] == nil {
			funds = append(funds, f.FundID)
		}
	}
	if len(funds) > 0 || len(numbers) > 0 {
		versions, err := r.namers(ctx, distinct(funds), numbers)
		if err != nil {
			return nil, err
		}
		fold.Numbered(versions, j.byNumber, j.joined) // to other funds
		for i := range versions {
			j.names.Add(&versions[i])
		}
	}
	bearers := j.names.Bearers(keys)
	for i := range bearers {
		bearers[i].At(new(fold.Office(r.records[bearers[i].CRD].Versions)))
	}
	return fold.Named(issuers, j.joined, bearers), nil
}
