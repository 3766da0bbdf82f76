package main

import (
	"context"

	"github.com/spf13/cobra"

	"gpatlas/modules/billing"
	"gpatlas/platform/database"
)

func (p *program) billingCommand() *cobra.Command {
	return billing.Command(func(ctx context.Context, dataDir string, work func(db *database.DB, name string) error) error {
		s, err := p.commandSettings()
		if err != nil {
			return err
		}
		return p.withExisting(ctx, "billing", dataDir, s, work)
	}, p.clock, usage)
}
