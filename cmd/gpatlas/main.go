// Command gpatlas is the whole service in one binary: the API's web process, the worker, the schema, ingestion, sample
// data, and `gpatlas dev`, which runs all of it on one machine with private servers.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"gpatlas/modules/feed"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/config"
)

func main() {
	os.Exit(run(clock.System{}, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// Exit codes. A command may end with one of its own, by an error that has an ExitCode method.
const (
	exitFailed = 1   // it failed; one line explains why
	exitUsage  = 2   // invalid arguments or settings
	exitUnread = 141 // the reader of the output has gone: the exit code that a shell reports after SIGPIPE
)

// program is the shared state of commands: nothing is global, so that tests may run it in-process.
type program struct {
	clock          clock.Clock
	environ        []string
	stdin          io.Reader
	stdout, stderr io.Writer
	stops          *stops
	misspelt       []config.Misspelt // variables of the environment that look like settings, once the settings were read
}

// run is main as a function: clock, arguments and environment in, exit code out.
func run(clk clock.Clock, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{clock: clk, environ: environ, stdin: stdin, stdout: stdout, stderr: stderr}
	ctx, release := p.catchSignals()
	defer release()
	p.stdout, p.stderr = &closable{stdout, p.stops.ask}, &closable{stderr, p.stops.ask}
	root := p.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.ExecuteContext(ctx)
	return p.exitCode(err)
}

// exitCode reports an error as one line (several only if several settings or arguments are wrong) and returns its code.
func (p *program) exitCode(err error) int {
	if err == nil {
		return 0
	}
	if readerGone(err) {
		return exitUnread
	}
	code := exitFailed
	if e, ok := errors.AsType[*apperr.Error](err); ok && e.Kind == apperr.KindInvalid {
		code = exitUsage // an argument is wrong
	}
	if e, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err); ok {
		code = e.ExitCode()
	}
	text := err.Error()
	if errors.Is(err, context.Canceled) && p.stops.asked() {
		text = "interrupted"
	}
	if _, wrong := errors.AsType[*config.Error](err); wrong {
		p.warnOfMisspelt() // one of them may be the setting that is missing
	}
	if text != "" {
		_, _ = fmt.Fprintln(p.stderr, "gpatlas:", text)
	}
	return code
}

// usageError is invalid usage.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }
func (e usageError) ExitCode() int { return exitUsage }

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "gpatlas",
		Short: "Serve US private fund managers from regulatory filings as a JSON API",
		Long: "GP Atlas is a JSON API over US investment advisers that manage private funds. The data come from the regulator's bulk filings.\n\n" +
			"On one machine, `gpatlas dev` runs everything. Settings come from the environment; see .env.example.",
		Version:           build,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return emptyFlag(cmd) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usageError{noCommand(cmd, args[0])}
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%s (see %s --help)", flagFault(cmd, err), cmd.CommandPath())}
	})
	root.AddCommand(
		p.devCommand(), p.webCommand(), p.workerCommand(), p.migrateCommand(),
		p.ingestCommand(), p.refreshCommand(), p.changesCommand(), p.sampleCommand(), p.openapiCommand(), p.adminCommand(), p.peopleCommand(), p.billingCommand(),
		feed.ListenCommand(p.getenv, p.clock, func(err error) error { return usageError{err} }, usage),
	)
	root.SetHelpCommand(helpCommand())
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, c := range append(cmd.Commands(), cmd) {
				c.Args = usage(cobra.NoArgs)
			}
		}
	}
	return root
}

// helpCommand is cobra's, but an unknown command is an error.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Describe a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = noCommand(found, rest[0])
			}
			if err != nil {
				return usageError{err}
			}
			return found.Help()
		},
	}
}

// getenv reads one variable of the program's environment.
func (p *program) getenv(name string) string {
	for _, line := range p.environ {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	return ""
}
