package past

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/platform/database"
)

// readOverrides reads the corrections that were known, by the adviser or fund that they are of.
func (f *market) readOverrides(ctx context.Context, tx pgx.Tx) error {
	known := pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	if !f.asOf.Known.IsZero() {
		known = pgtype.Timestamptz{Time: f.asOf.Known.Truncate(time.Microsecond), Valid: true}
	}
	rows, err := tx.Query(ctx, history.OverridesSQL(), database.Args{"crds": nil, "funds": nil, "known": known})
	if err != nil {
		return err
	}
	var o fold.Override
	_, err = pgx.ForEachRow(rows, []any{&o.ID, &o.CRD, &o.FundID, &o.Field, &o.Value, &o.ValidFrom}, func() error {
		of := o.CRD + o.FundID // one of them is empty
		f.corrected[of] = append(f.corrected[of], o)
		return nil
	})
	return err
}

// correctFund puts what is corrected into a fund that was folded without its ID, of which there are the digits.
func (f *market) correctFund(digits int64, folded *fold.Fund) {
	if len(f.corrected) == 0 {
		return
	}
	text := strconv.FormatInt(digits, 10)
	folded.FundID = "805-" + "0000000000"[min(len(text), 10):] + text
	f.corrected[folded.FundID].Fund(folded, f.asOf.Filed)
}
