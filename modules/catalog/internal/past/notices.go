package past

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/clock"
)

// offered has the notices of Form D that count, with their days only, because no answer here has exemptions. Chains are those of the
// notices that count, because a later notice may have joined two.
type offered struct {
	read     []notice          // by accession
	chain    map[string]int32  // by accession; a chain has the place of its first notice in read
	byChain  map[int32][]int32 // the notices of a chain, by their places
	byNumber map[string]int32  // chains by file number
	issuers  map[int32][]fold.Issuer
	named    map[string]bool // the keys of their names
}

// notice is one that counts.
type notice struct {
	accession   string
	number      string // may be empty, as the next
	previous    string
	filed, sale int32 // as days
	sold        bool  // it names a day of first sale
}

func newOffered() offered {
	return offered{
		chain: map[string]int32{}, byChain: map[int32][]int32{}, byNumber: map[string]int32{}, issuers: map[int32][]fold.Issuer{},
		named: map[string]bool{},
	}
}

func (f *snapshotBuilder) readNotices(ctx context.Context, tx pgx.Tx) error {
	o := &f.offered
	var n notice
	var filed, sale pgtype.Date
	err := f.stream(ctx, tx, noticesSQL, []any{&n.accession, &n.number, &n.previous, &filed, &sale}, func() error {
		n.filed, n.sale, n.sold = int32(clock.DayNumber(filed.Time)), int32(clock.DayNumber(sale.Time)), sale.Valid
		o.read = append(o.read, n)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(o.read, func(a, b notice) int { return cmp.Compare(a.accession, b.accession) })
	links := make([]derive.Link, len(o.read))
	for i := range o.read {
		links[i] = derive.Link{Accession: o.read[i].accession, Number: o.read[i].number, Previous: o.read[i].previous}
	}
	for i, first := range derive.Chains(links) {
		n, chain := &o.read[i], int32(first)
		o.chain[n.accession] = chain
		o.byChain[chain] = append(o.byChain[chain], int32(i))
		if n.number != "" {
			o.byNumber[n.number] = chain
		}
	}
	return nil
}

func (f *snapshotBuilder) readIssuers(ctx context.Context, tx pgx.Tx) error {
	o := &f.offered
	var accession, key, form, city, state string
	return f.stream(ctx, tx, issuersSQL, []any{&accession, &key, &form, &city, &state}, func() error {
		if chain, ok := o.chain[accession]; ok {
			o.named[key] = true
			o.issuers[chain] = append(o.issuers[chain], fold.NewIssuer(key, form, &city, &state))
		}
		return nil
	})
}

// merged is what the notices of chains, at least one, add to a fund: see fold.Merged.
func (o *offered) merged(chains []int32) fold.Notice {
	var notices []fold.Notice
	for _, chain := range chains {
		for _, at := range o.byChain[chain] {
			n := &o.read[at]
			one := fold.Notice{Accession: n.accession, Chain: o.read[chain].accession, FilingDate: clock.DayOf(int64(n.filed))}
			if n.sold {
				one.FirstSale = new(clock.DayOf(int64(n.sale)))
			}
			notices = append(notices, one)
		}
	}
	return fold.Merged(notices)
}
