package main

import (
	"context"

	"github.com/spf13/cobra"

	"gpatlas/modules/dataops"
	"gpatlas/modules/people"
	"gpatlas/platform/database"
)

func (p *program) peopleCommand() *cobra.Command {
	return people.Command(func(ctx context.Context, dataDir string, work func(db *database.DB) error) error {
		s, err := p.commandSettings()
		if err != nil {
			return err
		}
		return p.withExisting(ctx, "people", dataDir, s, func(db *database.DB, _ string) error { return work(db) })
	}, dataops.CreateOverride, p.clock, usage)
}
