package run

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/dataops/internal/gate"
)

// Baseline gives the document that a new one of the series is held against: the last one that was loaded for the first
// time. There is none (held is false) when the series begins with this document, and when the same bytes were loaded
// before: they were judged then, and loading them again changes nothing.
func (s *Store) Baseline(ctx context.Context, series, sha256 string) (b gate.Baseline, held bool, err error) {
	var rows []struct {
		ID           int64
		Document     string
		AdvisersSeen int64
		Layout       []byte
	}
	err = s.db.From(ctx).Raw(`
		SELECT r.id, r.document, coalesce(r.advisers_seen, 0) AS advisers_seen, r.layout FROM dataops.ingestion_runs r
		WHERE r.state = ? AND r.series = ?
		  AND NOT EXISTS (SELECT 1 FROM dataops.ingestion_runs e WHERE e.state = ? AND e.series = r.series AND e.sha256 = r.sha256 AND e.id < r.id)
		  AND NOT EXISTS (SELECT 1 FROM dataops.ingestion_runs e WHERE e.state = ? AND e.series = r.series AND e.sha256 = ?)
		ORDER BY r.id DESC LIMIT 1`, Completed, series, Completed, Completed, sha256).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return b, false, wrap("look for the document before", err)
	}
	b = gate.Baseline{RunID: rows[0].ID, Document: rows[0].Document, Advisers: rows[0].AdvisersSeen}
	if rows[0].Layout != nil {
		err = json.Unmarshal(rows[0].Layout, &b.Layout)
	}
	return b, true, wrap("read the layout of the document before", err)
}

// Loaded says whether the same bytes were loaded before.
func (s *Store) Loaded(ctx context.Context, series, sha256 string) (loaded bool, err error) {
	err = s.db.From(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM dataops.ingestion_runs WHERE state = ? AND series = ? AND sha256 = ?)`,
		Completed, series, sha256).Scan(&loaded).Error
	return loaded, wrap("look for an earlier load", err)
}

// Loss says how many advisers are current, and how many of these withdrawals of the given days would end. Both come from
// the views that the catalogue publishes. A withdrawal counts when it is not older than the adviser's last filing.
func (s *Store) Loss(ctx context.Context, withdrawn map[string]time.Time) (current, lost int64, err error) {
	crds, days := make([]string, 0, len(withdrawn)), make([]time.Time, 0, len(withdrawn))
	for crd, day := range withdrawn {
		crds, days = append(crds, crd), append(days, day)
	}
	err = s.db.Conn(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `
			WITH named AS (SELECT * FROM unnest($1::text[], $2::date[]) AS n(crd, day))
			SELECT count(*), count(*) FILTER (WHERE n.day >= g.latest_filed_on)
			FROM catalog.pub_gp g LEFT JOIN named n USING (crd)
			WHERE NOT EXISTS (SELECT 1 FROM catalog.pub_withdrawal w WHERE w.crd = g.crd AND w.is_full AND w.filing_date > g.latest_filed_on)`,
			crds, days).Scan(&current, &lost)
	})
	return current, lost, wrap("count the current advisers", err)
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
