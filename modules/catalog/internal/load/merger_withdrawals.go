package load

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
)

// mergeWithdrawals merges a staged document of Forms ADV-W, derives and publishes. Each withdrawal is a separate filing and
// becomes no version of its adviser: the values of the last form stay, and so does latest_accession, the filing that answers are
// based on. The withdrawal of an unknown adviser is kept in case an older form of it is loaded later.
func (s *session) mergeWithdrawals(ctx context.Context, d *withdrawalReader, today time.Time) (r catalogapi.LoadResult, err error) {
	r.RowsRead = d.rows
	if d.opts.Whole != nil && !d.opts.Whole() {
		if err := s.exec(ctx, "keep withdrawals", "DELETE FROM m_taken_back WHERE NOT moved"); err != nil {
			return r, err
		}
	}
	if err := s.run(ctx, "withdrawals", "$document$", literal(d.doc.Name), "$run$", strconv.FormatInt(d.opts.RunID, 10)); err != nil {
		return r, err
	}
	if _, err := s.derive(ctx, today); err != nil {
		return r, err
	}
	if err := s.countWithdrawals(ctx, d, &r); err != nil || r.FilingsNew+r.FilingsChanged == 0 && len(r.TakenBack) == 0 {
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
	rows, err := s.c.Query(ctx, "SELECT crd, filing_id FROM m_taken_back ORDER BY filing_id, crd")
	if err != nil {
		return fmt.Errorf("catalog load: withdrawals taken back: %w", err)
	}
	r.TakenBack, err = pgx.AppendRows(r.TakenBack, rows, pgx.RowToStructByPos[catalogapi.TakenBack])
	return err
}

// takeBack looks for the stored withdrawals that the document takes back, and counts those that an earlier loading of it brought.
func (s *session) takeBack(ctx context.Context, d *withdrawalReader) (brought, lacking int64, err error) {
	document := []string{"$same document$", catalogapi.SameDocumentSQL("f.document", literal(d.doc.Name))}
	if err := s.run(ctx, "taken_back", document...); err != nil {
		return 0, 0, err
	}
	err = s.one(ctx, "count_brought", document, &brought, &lacking)
	return brought, lacking, err
}
