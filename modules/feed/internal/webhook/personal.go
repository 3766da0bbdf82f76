package webhook

import (
	"context"
	"log/slog"
	"time"

	"gpatlas/platform/database"
)

const (
	// SweepJob deletes old messages and seals again what was sealed with a secret that is being replaced.
	SweepJob = "feed.sweep_webhooks"
	// keep is how long messages and attempts are kept.
	keep = 30 * 24 * time.Hour
)

// ExportFor returns the endpoints of an account, without their secrets.
func (s *Service) ExportFor(ctx context.Context, user int64) (any, error) { return s.List(ctx, user) }

// AccountPurged removes an account's endpoints, with their messages. Those of a deleted account are kept until then, and not called.
func (s *Service) AccountPurged(ctx context.Context, user int64) error {
	_, err := s.store.remove(ctx, user, "")
	return err
}

// Sweep removes messages and attempts after 30 days, and expired secrets.
func (s *Service) Sweep(ctx context.Context) (struct{}, error) {
	now := s.clock.Now()
	if _, err := database.Run(ctx, s.db, "sweep webhooks", sweepSQL, database.Args{"before": now.Add(-keep), "now": now}); err != nil {
		return struct{}{}, err
	}
	return struct{}{}, s.renew(ctx)
}

const (
	sealedSQL = `SELECT 'secret' AS what, id::text AS id, endpoint_id, sealed FROM feed.secrets
UNION ALL SELECT 'headers', id::text, id, headers FROM feed.endpoints WHERE headers IS NOT NULL`
	renewSecretSQL  = `UPDATE feed.secrets SET sealed = @sealed WHERE id = @id::text::bigint AND sealed = @before` //nolint:gosec // no credential: a statement
	renewHeadersSQL = `UPDATE feed.endpoints SET headers = @sealed WHERE id = @id::text::uuid AND headers = @before`
)

// renew seals with the server's first secret what was sealed with another one, so that the other can be removed.
func (s *Service) renew(ctx context.Context) error {
	rows, err := database.Select[struct {
		What, ID, EndpointID string
		Sealed               []byte
	}](ctx, s.db, "read sealed secrets of webhooks", sealedSQL, nil)
	if err != nil {
		return err
	}
	for _, r := range rows {
		renewed, ok, err := s.vault.Renew(r.EndpointID, r.What, r.Sealed)
		if err != nil {
			s.sender.Log.ErrorContext(ctx, "what a webhook keeps secret can no longer be read", slog.String("endpoint", r.EndpointID), slog.Any("error", err))
		}
		if !ok {
			continue
		}
		statement := renewSecretSQL
		if r.What == "headers" {
			statement = renewHeadersSQL
		}
		if _, err := database.Run(ctx, s.db, "seal secrets of webhooks again", statement, database.Args{"id": r.ID, "sealed": renewed, "before": r.Sealed}); err != nil {
			return err
		}
	}
	return nil
}
