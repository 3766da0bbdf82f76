package main

import (
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"gpatlas/platform/config"
	"gpatlas/platform/database"
)

func (p *program) migrateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Apply or revert the migrations of the database",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var dataDir string
	cmd.PersistentFlags().StringVar(&dataDir, "data-dir", "", "data folder of gpatlas dev, in place of DATABASE_URL")

	up := &cobra.Command{
		Use:   "up",
		Short: "Apply every pending migration",
		Long:  "Apply every pending migration. Several processes can run this at once: one applies, the others wait.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withDatabase(cmd, dataDir, func(url string) error {
				if err := database.MigrateUp(cmd.Context(), url); err != nil {
					return err
				}
				return p.printMigrations(cmd, url, false)
			})
		},
	}
	down := &cobra.Command{
		Use:   "down [VERSION]",
		Short: "Revert the newest migration, or all newer than VERSION; 0 reverts everything",
		Long: "Revert the newest migration, or all newer than VERSION. Rows in dropped tables and columns are lost. 0 removes\n" +
			"everything from the database.",
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			version := int64(-1)
			if len(args) == 1 {
				var err error
				if version, err = strconv.ParseInt(args[0], 10, 64); err != nil || version < 0 {
					return usageError{fmt.Errorf("%q is not a version: see gpatlas migrate status", args[0])}
				}
			}
			return p.withDatabase(cmd, dataDir, func(url string) error { return p.migrateDown(cmd, url, version) })
		},
	}
	status := &cobra.Command{
		Use:   "status",
		Short: "List the migrations and their state",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withDatabase(cmd, dataDir, func(url string) error { return p.printMigrations(cmd, url, true) })
		},
	}
	cmd.AddCommand(up, down, status)
	return cmd
}

func (p *program) migrateDown(cmd *cobra.Command, url string, version int64) error {
	if version < 0 {
		list, err := database.MigrateStatus(cmd.Context(), url)
		if err != nil {
			return err
		}
		version = beforeNewest(list)
	} else if err := p.known(cmd, url, version); err != nil {
		return err
	}
	if err := database.MigrateDown(cmd.Context(), url, version); err != nil {
		return err
	}
	return p.printMigrations(cmd, url, false)
}

// known rejects a version that no migration has: reverting everything newer than a mistyped version could revert everything.
func (p *program) known(cmd *cobra.Command, url string, version int64) error {
	list, err := database.MigrateStatus(cmd.Context(), url)
	if err != nil || version == 0 || slices.ContainsFunc(list, func(m database.Migration) bool { return m.Version == version }) {
		return err
	}
	return usageError{fmt.Errorf("there is no migration %d: see gpatlas migrate status", version)}
}

// beforeNewest is the version before the newest applied one, 0 if there is none.
func beforeNewest(list []database.Migration) int64 {
	var before, newest int64
	for _, m := range list {
		if m.Applied {
			before, newest = newest, m.Version
		}
	}
	return before
}

// withDatabase runs fn on the database that the environment or --data-dir names. Migrating is deliberate: without either there
// is no default.
func (p *program) withDatabase(cmd *cobra.Command, dataDir string, fn func(url string) error) (err error) {
	p.misspelt = config.Unknown(p.environ, &settings{})
	p.warnOfMisspelt()
	if dataDir == "" && p.getenv("DATABASE_URL") == "" {
		return fmt.Errorf("DATABASE_URL is not set: set it, or set the data folder of gpatlas dev with --data-dir")
	}
	url, _, release, err := p.database(cmd.Context(), "migrate", dataDir, p.plainLog())
	if err != nil {
		return err
	}
	defer func() {
		if e := release(); err == nil {
			err = e
		}
	}()
	return fn(url)
}

// printMigrations lists every migration, or only how many are applied.
func (p *program) printMigrations(cmd *cobra.Command, url string, all bool) error {
	list, err := database.MigrateStatus(cmd.Context(), url)
	if err != nil {
		return err
	}
	applied := 0
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, m := range list {
		state := "pending"
		if m.Applied {
			applied++
			state = m.AppliedAt.UTC().Format(time.RFC3339)
		}
		if all {
			_, _ = fmt.Fprintf(table, "%d\t%s\t%s\n", m.Version, state, m.File)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%d of %d migrations applied\n", applied, len(list))
	return err
}
