package run

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/platform/plaintext"
)

// finishTimeout bounds the last write of a run whose context is over.
const finishTimeout = 30 * time.Second

// finish writes what came of a run, with the alerts that follow from it, in one transaction of its own: the load's is
// over by then, whichever way it ended.
func (s *Store) finish(ctx context.Context, id int64, start Start, e End) error {
	ctx, cancel := context.WithTimeout(ctx, finishTimeout)
	defer cancel()
	values, err := outcome(e)
	if err != nil {
		return fmt.Errorf("finish ingestion run %d: %w", id, err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.From(ctx).Model(&row{}).Where("id = ? AND state = ?", id, Running).Updates(values)
		if tx.Error != nil {
			return tx.Error
		}
		if err := s.keepFiled(ctx, e); err != nil {
			return err
		}
		return s.raise(ctx, id, start, e)
	})
	if err != nil {
		return fmt.Errorf("finish ingestion run %d: %w", id, err)
	}
	return nil
}

// outcome is what a run's row has at its end.
func outcome(e End) (map[string]any, error) {
	state, source := Completed, e.Source
	if source == "" {
		source = UnknownSource
	}
	values := map[string]any{
		"source": source, "finished_at": e.At, "quarantined": e.Quarantined, "rows_read": e.Result.RowsRead,
		"filings_new": e.Result.FilingsNew, "filings_changed": e.Result.FilingsChanged, "filings_unchanged": e.Result.FilingsUnchanged,
		"advisers_new": e.Result.AdvisersNew, "advisers_changed": e.Result.AdvisersChanged, "advisers_unchanged": e.Result.AdvisersUnchanged,
		"funds_new": e.Result.FundsNew, "funds_changed": e.Result.FundsChanged, "funds_unchanged": e.Result.FundsUnchanged,
	}
	if e.SHA256 != "" {
		values["sha256"] = e.SHA256
	}
	if e.Bytes > 0 {
		values["bytes"] = e.Bytes
	}
	if e.Series != "" {
		values["series"], values["advisers_seen"], values["duplicates"] = e.Series, e.Looks.Advisers, e.Looks.Duplicates
	}
	if e.Looks.Keyed > 0 {
		values["keyed_rows"] = e.Looks.Keyed
	}
	if !e.Looks.Edition.IsZero() {
		values["edition"] = e.Looks.Edition
	}
	if e.Looks.Layout != nil {
		layout, err := json.Marshal(e.Looks.Layout)
		if err != nil {
			return nil, err
		}
		values["layout"] = plaintext.Storable(string(layout))
	}
	if e.Looks.Filed != nil {
		spreads, err := json.Marshal(gate.Spreads(e.Looks.Filed))
		if err != nil {
			return nil, err
		}
		values["table_rows"] = string(spreads)
	}
	if e.Looks.Filled != nil {
		filled, err := json.Marshal(e.Looks.Filled)
		if err != nil {
			return nil, err
		}
		values["filled"] = plaintext.Storable(string(filled))
	}
	if e.Err != nil {
		state = Failed
		values["error"] = plaintext.Storable(e.Err.Error())
	}
	values["state"] = state
	return values, nil
}
