package past

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/history"
)

// offered is what the notices of Form D say that count: of the vintage alone, for exemptions are in no answer here.
type offered struct {
	chains   []string         // by the number that each has here
	number   map[string]int32 // and back
	byChain  [][]notice
	byNumber map[string][]int32 // chains by file number
	named    map[int64][]notice // by fund: those joined by its name
}

// notice is one that names a day of first sale.
type notice struct {
	accession          string
	chain, filed, sale int32 // the last two as days
}

func newOffered() offered {
	return offered{number: map[string]int32{}, byNumber: map[string][]int32{}, named: map[int64][]notice{}}
}

// numberOf gives a chain its number.
func (o *offered) numberOf(chain string) int32 {
	n, ok := o.number[chain]
	if !ok {
		n = int32(len(o.chains))
		o.number[chain] = n
		o.chains, o.byChain = append(o.chains, chain), append(o.byChain, nil)
	}
	return n
}

// noticeRow scans a notice.
type noticeRow struct {
	accession, chain string
	filed, sale      pgtype.Date
}

func (r *noticeRow) targets() []any { return []any{&r.accession, &r.chain, &r.filed, &r.sale} }

func (o *offered) scanned(r *noticeRow) notice {
	return notice{r.accession, o.numberOf(r.chain), toDay(r.filed.Time), toDay(r.sale.Time)}
}

func (f *fold) readNotices(ctx context.Context, tx pgx.Tx) error {
	o := &f.offered
	var row noticeRow
	var number string
	return f.stream(ctx, tx, noticesSQL, append(row.targets(), &number), func() error {
		n := o.scanned(&row)
		if number != "" {
			o.byNumber[number] = appendNew(o.byNumber[number], n.chain)
		}
		if row.sale.Valid {
			o.byChain[n.chain] = append(o.byChain[n.chain], n)
		}
		return nil
	})
}

func (f *fold) readNamed(ctx context.Context, tx pgx.Tx) error {
	o := &f.offered
	var row noticeRow
	var id int64
	return f.stream(ctx, tx, namedSQL, append(row.targets(), &id), func() error {
		o.named[id] = append(o.named[id], o.scanned(&row))
		return nil
	})
}

// of gives a fund its notices: those of the chains of its numbers, and those joined by its name where no number joins
// their chain (see history.Store, which reads them for one adviser).
func (o *offered) of(fund int64, chains []int32) (notices []history.Notice) {
	for _, chain := range chains {
		for i := range o.byChain[chain] {
			notices = append(notices, o.told(&o.byChain[chain][i]))
		}
	}
	named := o.named[fund]
	for i := range named {
		if !slices.Contains(chains, named[i].chain) {
			notices = append(notices, o.told(&named[i]))
		}
	}
	return notices
}

func (o *offered) told(n *notice) history.Notice {
	sale := fromDay(n.sale)
	return history.Notice{Accession: n.accession, Chain: o.chains[n.chain], FilingDate: fromDay(n.filed), FirstSale: &sale}
}
