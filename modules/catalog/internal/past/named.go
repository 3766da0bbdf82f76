package past

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
)

// readNamed joins the chains that no number joins to a fund by the names of their issuers. The fund versions have been read.
func (f *market) readNamed(ctx context.Context, tx pgx.Tx) error {
	o := &f.offered
	for i := range f.funds {
		for _, chain := range f.funds[i].chains {
			delete(o.issuers, chain)
		}
	}
	bearers := f.bearers()
	if err := f.readOffices(ctx, tx, bearers); err != nil {
		return err
	}
	for chain, issuers := range o.issuers {
		for i := range issuers {
			for _, id := range fold.ByName(&issuers[i], bearers[issuers[i].Key.Name]) {
				fund, err := strconv.ParseInt(id, 10, 64)
				if err != nil {
					return fmt.Errorf("fund %q: %w", id, err)
				}
				o.named[fund] = appendNew(o.named[fund], chain)
			}
		}
	}
	return nil
}

// bearers finds the funds that bear the names of issuers, by the names' keys.
func (f *market) bearers() map[string][]fold.Bearer {
	asked := map[string]bool{}
	for _, issuers := range f.offered.issuers {
		for i := range issuers {
			asked[issuers[i].Key.Name] = true
		}
	}
	out := map[string][]fold.Bearer{}
	if len(asked) == 0 {
		return out
	}
	for id, at := range f.fundAt {
		v := &f.funds[at]
		if key := derive.NameKey(v.name); asked[key.Name] {
			out[key.Name] = append(out[key.Name], fold.Bearer{
				FundID: strconv.FormatInt(id, 10), CRD: strconv.FormatInt(v.crd, 10), Form: key.Form,
			})
		}
	}
	return out
}

// readOffices fills in where the advisers of bearers sit.
func (f *market) readOffices(ctx context.Context, tx pgx.Tx, bearers map[string][]fold.Bearer) error {
	of := map[string][]*fold.Bearer{} // by CRD
	var crds []string
	for _, list := range bearers {
		for i := range list {
			b := &list[i]
			if of[b.CRD] == nil {
				crds = append(crds, b.CRD)
			}
			of[b.CRD] = append(of[b.CRD], b)
		}
	}
	if crds == nil {
		return nil
	}
	row := f.filing()
	city, state, country := f.word(), f.word(), f.word()
	var street, postal *string
	var residence pgtype.Bool
	versions := map[int64][]fold.AdviserVersion{}
	var silent []string
	err := f.stream(ctx, tx, officesSQL, append(row.targets(), &street, city, state, country, &postal, &residence, &silent), func() error {
		versions[row.crd] = append(versions[row.crd], fold.AdviserVersion{
			Filing: *row.scanned(),
			Statement: catalogapi.Statement{
				Street1: street, City: city.s, State: state.s, Country: country.s, PostalCode: postal, PrivateResidence: flag(residence),
			},
			Silent: silent,
		})
		return nil
	}, crds...)
	for crd, said := range versions {
		office := fold.Office(said)
		for _, b := range of[strconv.FormatInt(crd, 10)] {
			b.City, b.State = fold.Placed(office.City), fold.Placed(office.State)
		}
	}
	return err
}
