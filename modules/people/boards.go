package people

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"gpatlas/modules/people/internal/board"
	"gpatlas/modules/people/internal/hiring"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// jobBoards reads a setting: CRD:VENDOR:TOKEN each.
func jobBoards(list []string) ([]board.Board, error) {
	boards := make([]board.Board, 0, len(list))
	for _, entry := range list {
		parts := strings.Split(strings.TrimSpace(entry), ":")
		if len(parts) != 3 {
			return nil, fmt.Errorf("%q is not CRD:VENDOR:TOKEN", entry)
		}
		b, err := board.New(parts[0], parts[1], parts[2])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", entry, err)
		}
		boards = append(boards, b)
	}
	return boards, nil
}

// LoadBoards applies recorded listings of job boards as if they had been fetched, without the network. The files are named
// CRD.VENDOR.TOKEN.json and have the vendor's own format; the advisers must be in the catalog. CRD.VENDOR.TOKEN.2026-10-01.json
// was recorded on that day (noon, UTC), so several files of one board form a history: gaps of up to 14 days count as continuous
// observation. Boards that are only loaded are never fetched. Loading dated files again changes nothing. The result is the
// number of open postings.
func LoadBoards(ctx context.Context, db *database.DB, clk clock.Clock, paths []string) (open int, err error) {
	boards, err := newHiring(db, nil, clk, slog.New(slog.DiscardHandler)).Load(ctx, paths)
	for _, n := range boards {
		open += n
	}
	return open, err
}

// withHiring runs work on the boards of a database.
type withHiring func(ctx context.Context, work func(s *hiring.Service) error) error

// boardCommand is `gpatlas people board`.
func boardCommand(with withHiring, check func(cobra.PositionalArgs) cobra.PositionalArgs) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "board",
		Short: "Configure the public job boards of managers",
		Long: "add names a public job board on which a manager lists its open positions, and list shows the boards. VENDOR is greenhouse, lever, lever-eu or ashby; TOKEN is\n" +
			"the board's name as in its URL: aldrinmead in https://boards.greenhouse.io/aldrinmead. gpatlas worker reads each board once a day. fetch reads boards now.\n" +
			"remove also removes the postings of the board.",
		Example: "  gpatlas people board add 998243 greenhouse aldrinmead\n  gpatlas people board fetch 998243\n  gpatlas people board list",
		Args:    check(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	add := func(use, short string, args cobra.PositionalArgs, work func(ctx context.Context, s *hiring.Service, out io.Writer, args []string) error) {
		cmd.AddCommand(&cobra.Command{Use: use, Short: short, Args: check(args), RunE: func(cmd *cobra.Command, args []string) error {
			return with(cmd.Context(), func(s *hiring.Service) error { return work(cmd.Context(), s, cmd.OutOrStdout(), args) })
		}})
	}
	add("add CRD VENDOR TOKEN", "Add a board of a manager", cobra.ExactArgs(3), addBoard)
	add("remove CRD VENDOR TOKEN", "Remove a board and its postings", cobra.ExactArgs(3), removeBoard)
	add("list [CRD]", "List the boards, of one manager or all", cobra.MaximumNArgs(1), listBoards)
	add("fetch [CRD]", "Read the boards now, of one manager or all", cobra.MaximumNArgs(1), fetchBoards)
	return cmd
}

func addBoard(ctx context.Context, s *hiring.Service, out io.Writer, args []string) error {
	b, err := board.New(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	added, err := s.Add(ctx, b)
	if err != nil {
		return err
	}
	said := "was configured before"
	if added {
		said = "is configured. The worker reads it within an hour; gpatlas people board fetch " + b.CRD + " reads it now"
	}
	_, err = fmt.Fprintf(out, "%s %s\n", b.Name(), said)
	return err
}

func removeBoard(ctx context.Context, s *hiring.Service, out io.Writer, args []string) error {
	b, err := board.New(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	if err := s.Remove(ctx, b); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s and its postings are removed\n", b.Name())
	return err
}

// boardsOf lists the boards that a command with an optional CRD is about.
func boardsOf(ctx context.Context, s *hiring.Service, args []string) ([]hiring.Configured, error) {
	if len(args) == 0 {
		return s.Boards(ctx, "")
	}
	if err := board.CheckCRD(args[0]); err != nil {
		return nil, err
	}
	return s.BoardsOf(ctx, args[0])
}

// noBoard is the error for a manager without a board, or for no boards at all.
func noBoard(args []string) string {
	if len(args) > 0 {
		return "CRD " + args[0] + " has no board."
	}
	return "No board is configured."
}

func listBoards(ctx context.Context, s *hiring.Service, out io.Writer, args []string) error {
	list, err := boardsOf(ctx, s, args)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		_, err = fmt.Fprintln(out, noBoard(args))
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "CRD\tVENDOR\tTOKEN\tOPEN\tLAST READ\tSTATE")
	for _, b := range list {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\t%s\n", b.CRD, b.Vendor, b.Token, b.Open, minute(b.SucceededAt, "never"), stateOf(b))
	}
	return table.Flush()
}

func stateOf(b hiring.Configured) string {
	switch {
	case b.FromFile:
		return "from files, not fetched"
	case b.Failure != "":
		return "failing, next attempt " + minute(b.RetryAt, "soon") + ": " + b.Failure
	case b.SucceededAt == nil:
		return "not read yet"
	}
	return "ok"
}

func minute(t *time.Time, otherwise string) string {
	if t == nil {
		return otherwise
	}
	return t.UTC().Format("2006-01-02 15:04")
}

func fetchBoards(ctx context.Context, s *hiring.Service, out io.Writer, args []string) error {
	list, err := boardsOf(ctx, s, args)
	if err != nil {
		return err
	}
	failed, tried := 0, 0
	for _, b := range list {
		if b.FromFile {
			continue
		}
		tried++
		done, err := s.FetchNow(ctx, b.Board)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		said := fmt.Sprintf("%d open, %d closed", done.Open, done.Closed)
		switch {
		case err != nil:
			failed++
			said = "not read: " + err.Error()
		case done.Outdated:
			said = "read by another process at the same time"
		}
		if _, err := fmt.Fprintf(out, "%s: %s\n", b.Name(), said); err != nil {
			return err
		}
	}
	switch {
	case len(list) == 0:
		_, err = fmt.Fprintln(out, noBoard(args))
	case tried == 0:
		_, err = fmt.Fprintf(out, "No board is fetched; %d come from files.\n", len(list))
	case failed > 0:
		err = fmt.Errorf("%d of %d boards could not be read", failed, tried)
	}
	return err
}
