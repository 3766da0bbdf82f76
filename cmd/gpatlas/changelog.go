package main

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"gpatlas/platform/changes"
	"gpatlas/platform/database"
)

// changesCommand is for operators.
func (p *program) changesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "changes",
		Short: "Manage the log of changes",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var dataDir string
	restart := &cobra.Command{
		Use:   "restart",
		Short: "Expire the cursors of all readers, after a backup was restored",
		Long: "Expire the cursors of all readers of GET /v1/changes. Run it after a backup was restored: cursors that were handed out since\n" +
			"that backup would skip the events that now get their numbers. Readers are told to read the catalog again.\n" +
			"Uses the database of DATABASE_URL, or else the private database of `gpatlas dev`, running or not.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.commandSettings()
			if err != nil {
				return err
			}
			return p.withCatalog(cmd.Context(), "changes", dataDir, s, func(db *database.DB, _ bool, _ *slog.Logger) error {
				if err := changes.Restart(cmd.Context(), db); err != nil {
					return err
				}
				_, err := fmt.Fprintln(p.stdout, "the cursors of all readers have expired")
				return err
			})
		},
	}
	restart.Flags().StringVar(&dataDir, "data-dir", "", "data folder of gpatlas dev, running or not (default: the one that gpatlas dev uses)")
	cmd.AddCommand(restart)
	return cmd
}
