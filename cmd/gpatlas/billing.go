package main

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"gpatlas/modules/billing"
	"gpatlas/platform/database"
)

func (p *program) billingCommand() *cobra.Command {
	return billing.Command(func(ctx context.Context, dataDir string, work func(db *database.DB) error) error {
		s, err := p.settingsFor("DATABASE_URL", "REDIS_URL", "WEB_", "DATAOPS_", "MAIL_", "ACCOUNTS_", "BILLING_", "ANONYMOUS_LIMITS", "ACCESS_POLICY")
		if err != nil {
			return err
		}
		return p.withCatalogue(ctx, "billing", dataDir, s, func(db *database.DB, _ bool, _ *slog.Logger) error { return work(db) })
	}, p.clock, usage)
}
