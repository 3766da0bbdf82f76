package history

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

// What is read of the versions of funds: all of them, or what an adviser's total value and
// strategy are made of.
var wholeFund = strings.Join(catalogapi.ColumnNames[fold.FiledFund](), ", ") + ", silent"

const summedFund = `name, is_fund_of_funds, fund_type, fund_type_other, gross_asset_value, silent`

// readFunds is what the reading of funds' versions is called in errors.
const readFunds = "read fund versions"

// edition is a fund's version as the table has it, or out of an edition that was replaced.
type edition struct {
	fold.FundVersion

	Unsaid bool `gorm:"column:unsaid"` // that edition did not name the fund
}

// editions are the rows of funds in editions of filings that were replaced after an instant.
//
// A fund's row of a restated filing is kept only where the new edition said something else of the fund: the row that
// stood at an instant is the first one replaced after it, else the current one.
type editions map[inFiling]bool

// inFiling is a fund in a filing.
type inFiling struct{ accession, fund string }

//go:embed restated_funds.sql
var restatedFundsSQL string

// editions adds the reading of those that a condition names, and hands on what those of the filings that count said. The filings
// are in of when its rows come. Nothing is read of what stands.
func (r *reader) editions(
	b *batch, columns, condition string, args database.Args, of map[string]*fold.Filed, take func(v *fold.FundVersion),
) editions {
	if r.at.IsZero() {
		return nil
	}
	replaced := editions{}
	args["known"] = r.known()
	add(b, readFunds, strings.NewReplacer("{{columns}}", columns, "{{of}}", condition).Replace(restatedFundsSQL), args, func(v *edition) {
		f := of[v.Accession]
		if f == nil || !f.Restated {
			return
		}
		replaced[inFiling{v.Accession, v.FundID}] = true
		if !v.Unsaid {
			v.Filing = f.Filing
			take(&v.FundVersion)
		}
	})
	return replaced
}

// stands says whether the version of a fund in a filing that counts is the one that stood.
func (e editions) stands(v *fold.FundVersion, f *fold.Filed) bool {
	return f != nil && (!f.Restated || !e[inFiling{v.Accession, v.FundID}])
}

//go:embed own_funds.sql
var ownFundsSQL string

// ownFundVersions adds the reading of what the filings of an adviser say of funds, as they stood. The filings that count, of which
// none was made after day, are in of when its rows come.
func (r *reader) ownFundVersions(b *batch, columns, crd string, day time.Time, of map[string]*fold.Filed, take func(v *fold.FundVersion)) {
	replaced := r.editions(b, columns, "crd = @crd", database.Args{"crd": crd}, of, take)
	if !r.at.IsZero() {
		day = endOfTime // a filing may have been restated with another day
	}
	statement := strings.Replace(ownFundsSQL, "{{columns}}", columns, 1)
	var f *fold.Filed
	last := ""
	add(b, readFunds, statement, database.Args{"crd": crd, "day": day}, func(v *fold.FundVersion) {
		if v.Accession != last { // the rows of a filing come together
			f, last = of[v.Accession], v.Accession
		}
		if replaced.stands(v, f) {
			v.Filing = f.Filing
			take(v)
		}
	})
}

// elsewhere is what advisers other than one say of funds: a fund may have moved from one adviser to another.
type elsewhere struct {
	columns  string
	funds    []string
	versions []fold.FundVersion
	naming   map[string]bool // the filings that name the funds, now or before a restatement, by accession number
	crds     []string        // whose filings these are
}

var (
	//go:embed elsewhere.sql
	elsewhereSQL string
	//go:embed replaced_elsewhere.sql
	replacedElsewhereSQL string
)

// elsewhere adds the search for who named funds, other than one adviser (none when it is empty): see versions.
func (r *reader) elsewhere(b *batch, columns string, funds []string, than string) *elsewhere {
	e := &elsewhere{columns: columns, funds: funds, naming: map[string]bool{}}
	if len(funds) == 0 {
		return e
	}
	const what = "read who named funds"
	args := database.Args{"funds": funds, "than": than}
	note := func(v *fold.FundVersion) {
		e.naming[v.Accession] = true
		if !slices.Contains(e.crds, v.CRD) {
			e.crds = append(e.crds, v.CRD)
		}
	}
	add(b, what, strings.Replace(elsewhereSQL, "{{columns}}", columns, 1), args, func(v *fold.FundVersion) {
		note(v)
		e.versions = append(e.versions, *v)
	})
	add(b, what, replacedElsewhereSQL, args, note)
	return e
}

// found says whether anybody was.
func (e *elsewhere) found() bool { return len(e.crds) > 0 }

// read adds the reading of what they say, as it stood, to a batch that is sent after the one of the search. It hands on the versions
// that count, and notes the filings.
func (e *elsewhere) read(r *reader, b *batch, bounds *bounds, of map[string]*fold.Filed, take func(v *fold.FundVersion)) {
	if !e.found() {
		return
	}
	r.counting(b, e.crds, bounds, of)
	args := database.Args{"funds": e.funds, "crds": e.crds}
	replaced := r.editions(b, e.columns, "fund_id = ANY (@funds) AND crd = ANY (@crds)", args, of, take)
	b.then(func() error {
		for i := range e.versions {
			v := &e.versions[i]
			if f := of[v.Accession]; replaced.stands(v, f) {
				v.Filing = f.Filing
				take(v)
			}
		}
		return nil
	})
}

// others are the filings that count in which the funds are named.
func (e *elsewhere) others(of map[string]*fold.Filed) (others []fold.Filed) {
	for accession := range e.naming {
		if f := of[accession]; f != nil {
			others = append(others, *f)
		}
	}
	return others
}

// take reads what they say in a batch of its own.
func (e *elsewhere) take(ctx context.Context, r *reader, bounds *bounds, take func(v *fold.FundVersion)) (others []fold.Filed, err error) {
	if !e.found() {
		return nil, nil
	}
	var b batch
	of := map[string]*fold.Filed{}
	e.read(r, &b, bounds, of, take)
	err = r.send(ctx, &b)
	return e.others(of), err
}
