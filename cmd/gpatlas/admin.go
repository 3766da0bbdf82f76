package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"gpatlas/modules/accounts"
	"gpatlas/modules/dataops"
	"gpatlas/platform/audit"
	"gpatlas/platform/database"
)

func (p *program) adminCommand() *cobra.Command {
	with := func(ctx context.Context, dataDir string, work func(db *database.DB) error) error {
		s, err := p.commandSettings()
		if err != nil {
			return err
		}
		return p.withExisting(ctx, "admin", dataDir, s, func(db *database.DB, _ string) error { return work(db) })
	}
	cmd := accounts.AdminCommand(with, p.clock, usage)
	cmd.AddCommand(p.auditCommand(with), p.qualityCommand(with), p.quarantineCommand(with))
	return cmd
}

// listMax is the maximum length of an administrator command's list.
const listMax = 100_000

func checkLimit(limit int) error {
	if limit < 1 || limit > listMax {
		return usageError{fmt.Errorf("--limit must be between 1 and %d", listMax)}
	}
	return nil
}

func (p *program) auditCommand(with accounts.WithDatabase) *cobra.Command {
	var limit int
	var asJSON bool
	cmd := &cobra.Command{
		Use: "audit", Short: "List what operators changed", Args: usage(cobra.NoArgs),
		Long: "List what operators changed, the latest first: when, who, what, and what it was before and after. Changes by jobs and on the command\n" +
			"line are by \"system\".",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkLimit(limit); err != nil {
				return err
			}
			dataDir, _ := cmd.Flags().GetString("data-dir")
			return with(cmd.Context(), dataDir, func(db *database.DB) error {
				list, err := audit.New(db, p.clock).List(cmd.Context(), limit)
				if err != nil {
					return err
				}
				return p.writeAudit(cmd.Context(), db, list, asJSON)
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 50, "number of changes")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func (p *program) writeAudit(ctx context.Context, db *database.DB, list []audit.Entry, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(p.stdout)
		var faults []error
		for _, entry := range list {
			faults = append(faults, e.Encode(entry))
		}
		return errors.Join(faults...)
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "TIME (UTC)\tWHO\tWHAT\tOF\tBEFORE\tAFTER")
	names := map[int64]string{}
	for _, entry := range list {
		who := "system"
		if id := entry.ActorID; id != nil {
			if _, known := names[*id]; !known {
				name, err := accounts.Named(ctx, db, *id)
				if err != nil {
					return err
				}
				names[*id] = name
			}
			who = names[*id]
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", entry.At.Format(time.DateTime), who, entry.Action, entry.Subject, entry.Before, entry.After)
	}
	return w.Flush()
}

func (p *program) quarantineCommand(with accounts.WithDatabase) *cobra.Command {
	var o dataops.QuarantineOptions
	cmd := &cobra.Command{
		Use: "quarantine [RUN]", Short: "List the rows that could not be used", Args: usage(cobra.MaximumNArgs(1)),
		Long: "List rows that ingestions could not use: file, line, reason and the beginning of the row. RUN is the number of an ingestion, as\n" +
			"alerts name it. Without it, the rows of the newest ingestion come first.",
		Example: "  gpatlas admin quarantine\n  gpatlas admin quarantine 41 --limit 1000 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkLimit(o.Limit); err != nil {
				return err
			}
			if len(args) > 0 {
				run, err := strconv.ParseInt(args[0], 10, 64)
				if err != nil || run < 1 {
					return usageError{fmt.Errorf("RUN must be the number of an ingestion, not %q", args[0])}
				}
				o.Run = run
			}
			dataDir, _ := cmd.Flags().GetString("data-dir")
			return with(cmd.Context(), dataDir, func(db *database.DB) error {
				return dataops.WriteQuarantine(cmd.Context(), p.stdout, db, o)
			})
		},
	}
	cmd.Flags().IntVar(&o.Limit, "limit", 100, "number of rows")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object a line")
	return cmd
}

func (p *program) qualityCommand(with accounts.WithDatabase) *cobra.Command {
	var o dataops.QualityOptions
	cmd := &cobra.Command{
		Use: "quality [METRIC]", Short: "List the rows that a quality metric finds", Args: usage(cobra.MaximumNArgs(1)),
		Long: "Without a metric, list the metrics with their newest values and thresholds. With one, list the rows that it finds now: the dimension, the\n" +
			"CRD number and what was found, separated by tabs. --sql prints the query instead. @day is today; @from and @until are its bounds.",
		Example: "  gpatlas admin quality\n  gpatlas admin quality aum_jumps\n  gpatlas admin quality null_share --dimension website --limit 1000",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkLimit(o.Limit); err != nil {
				return err
			}
			if len(args) > 0 {
				o.Metric = args[0]
			}
			s, err := p.commandSettings()
			if err != nil {
				return err
			}
			dataDir, _ := cmd.Flags().GetString("data-dir")
			return with(cmd.Context(), dataDir, func(db *database.DB) error {
				return dataops.WriteQuality(cmd.Context(), p.stdout, db, s.DataOps, p.clock, o)
			})
		},
	}
	cmd.Flags().StringVar(&o.Dimension, "dimension", "", "only rows of this field, reason or kind")
	cmd.Flags().IntVar(&o.Limit, "limit", 100, "number of rows")
	cmd.Flags().BoolVar(&o.SQL, "sql", false, "print the query")
	cmd.Flags().BoolVar(&o.Measure, "measure", false, "measure all metrics now, and raise and close their alerts")
	return cmd
}
