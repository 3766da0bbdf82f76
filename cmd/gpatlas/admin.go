package main

import (
	"context"

	"github.com/spf13/cobra"

	"gpatlas/modules/accounts"
	"gpatlas/platform/database"
)

func (p *program) adminCommand() *cobra.Command {
	return accounts.AdminCommand(func(ctx context.Context, dataDir string, work func(db *database.DB) error) error {
		s, err := p.settingsFor("DATABASE_URL", "REDIS_URL", "WEB_", "DATAOPS_", "MAIL_", "ACCOUNTS_", "ANONYMOUS_LIMITS", "ACCESS_POLICY")
		if err != nil {
			return err
		}
		return p.withExisting(ctx, "admin", dataDir, s, func(db *database.DB, _ string) error { return work(db) })
	}, p.clock, usage)
}
