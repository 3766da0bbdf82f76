package load

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// mergeWithdrawals merges a staged document of Forms ADV-W, derives and publishes. Each withdrawal is a separate filing and
// becomes no version of its adviser: the values of the last form stay, and so does latest_accession, the filing that answers are
// based on. The withdrawal of an unknown adviser is kept in case an older form of it is loaded later.
func (s *session) mergeWithdrawals(ctx context.Context, d *withdrawalReader, today time.Time) (r catalogapi.LoadResult, err error) {
	r.RowsRead = d.rows
	if err := s.run(ctx, "withdrawals", "$document$", literal(d.doc.Name), "$run$", strconv.FormatInt(d.opts.RunID, 10)); err != nil {
		return r, err
	}
	if _, err := s.derive(ctx, today); err != nil {
		return r, err
	}
	if err := s.countWithdrawals(ctx, d, &r); err != nil || r.FilingsNew+r.FilingsChanged == 0 {
		return r, err
	}
	r.Published = true
	return r, s.publish(ctx, d.opts.RunID, "ingested "+d.doc.Name)
}

func (s *session) countWithdrawals(ctx context.Context, d *withdrawalReader, r *catalogapi.LoadResult) error {
	var same, advisers int64
	err := s.one(ctx, "count_withdrawals", nil, &r.FilingsNew, &r.FilingsChanged, &same, &advisers, &r.AdvisersChanged)
	if err != nil {
		return fmt.Errorf("catalog load: count withdrawals: %w", err)
	}
	r.FilingsUnchanged = same + d.doubled
	r.AdvisersUnchanged = advisers - r.AdvisersChanged
	return nil
}
