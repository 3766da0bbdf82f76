package main

import (
	"context"

	"github.com/spf13/cobra"

	"gpatlas/modules/people"
	"gpatlas/platform/database"
)

func (p *program) peopleCommand() *cobra.Command {
	return people.Command(func(ctx context.Context, dataDir string, work func(db *database.DB) error) error {
		s, err := p.settingsFor("DATABASE_URL", "REDIS_URL", "WEB_", "DATAOPS_", "MAIL_", "ACCOUNTS_", "ANONYMOUS_LIMITS", "ACCESS_POLICY", "PEOPLE_")
		if err != nil {
			return err
		}
		return p.withExisting(ctx, "people", dataDir, s, func(db *database.DB, _ string) error { return work(db) })
	}, p.clock, usage)
}
