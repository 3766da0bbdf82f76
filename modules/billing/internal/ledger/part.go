package ledger

import (
	"context"
	"log/slog"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
	"gpatlas/platform/startstop"
)

// Part is what the slice provides.
func (m *Meter) Part() module.Part {
	return module.Part{
		Models: []any{execution{}}, Background: []module.Background{startstop.New("the maker of the ledger's months", m.keepMonths)},
	}
}

// aheadEvery is how often partitions of this month and the next are created.
const aheadEvery = time.Hour

func (m *Meter) keepMonths(ctx context.Context) {
	months := database.NewMonths(m.db, database.Partitioned{Table: "billing.charges", Column: "period"})
	for ctx.Err() == nil {
		// Charges do not need it: what finds no month lies in the default partition, from which a later attempt takes it.
		if err := months.Ahead(ctx, m.clock.Now()); err != nil && ctx.Err() == nil {
			m.log.WarnContext(ctx, "the ledger's next month could not be made ready", slog.Any("error", err))
		}
		_ = clock.Sleep(ctx, aheadEvery) // ends early with ctx
	}
}
