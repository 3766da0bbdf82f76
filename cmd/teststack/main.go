// Command teststack runs a command beside one private PostgreSQL cluster and one private redis-server, so that all packages
// of a test run share them, and keeps its temporary files in memory where there is room:
//
//	go run ./cmd/teststack -- go test ./...
//
// The command finds them in TEST_DATABASE_URL and TEST_REDIS_URL; one that is set already is used as it is, and no
// server is started in its place. So is TMPDIR; what go builds stays where it is without us. Without a command it prints both addresses and waits for Ctrl-C. It exits with the
// command's code; the servers end with it, however it ends.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"gpatlas/platform/localserver"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// failed is our own exit code, as a shell's for a command that cannot be run.
const failed = 126

// forwarded are the signals that the command gets as well.
var forwarded = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// run is main as a function: the arguments in, the exit code out.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, forwarded...) // from here on, a signal cannot end us past the clean-up
	defer signal.Stop(signals)

	s, err := start(context.Background(), len(args) > 0)
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "teststack:", err)
		return failed
	}
	code, err := s.use(args, signals, stdout, stderr)
	if err = errors.Join(err, s.stop()); err != nil {
		_, _ = fmt.Fprintln(stderr, "teststack:", err)
		if code == 0 {
			code = failed
		}
	}
	return code
}

// stack is what is running, and what the command must know of it.
type stack struct {
	env   []string // NAME=value
	stops []func() error
}

// start starts the servers that are not running, and makes a folder for the temporary files of a command.
func start(ctx context.Context, command bool) (s *stack, err error) {
	s = &stack{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	if os.Getenv("TEST_DATABASE_URL") == "" {
		p, err := localserver.TemporaryPostgres(ctx)
		if err != nil {
			return s, err
		}
		s.add("TEST_DATABASE_URL="+p.DatabaseURL(), func() error { return p.Stop(ctx) })
	}
	if os.Getenv("TEST_REDIS_URL") == "" {
		r, err := localserver.TemporaryRedis(ctx)
		if err != nil {
			return s, err
		}
		s.add("TEST_REDIS_URL="+r.RedisURL(), func() error { return r.Stop(ctx) })
	}
	if command && os.Getenv("TMPDIR") == "" {
		return s, s.addScratch()
	}
	return s, nil
}

// addScratch keeps the command's temporary files in memory, where there is room.
func (s *stack) addScratch() error {
	dir, remove, err := localserver.Scratch()
	if dir == "" || err != nil {
		return err
	}
	s.add("TMPDIR="+dir, remove)
	if os.Getenv("GOTMPDIR") == "" {
		s.env = append(s.env, "GOTMPDIR="+os.TempDir()) // the binaries of all tests would fill it
	}
	return nil
}

func (s *stack) add(setting string, stop func() error) {
	s.env = append(s.env, setting)
	s.stops = append(s.stops, stop)
}

func (s *stack) stop() error {
	var faults []error
	for _, stop := range s.stops {
		faults = append(faults, stop())
	}
	return errors.Join(faults...)
}

// use runs the command, or waits for a signal if there is none, and returns its exit code.
func (s *stack) use(args []string, signals <-chan os.Signal, stdout, stderr io.Writer) (int, error) {
	if len(args) == 0 {
		for _, setting := range s.env {
			_, _ = fmt.Fprintf(stdout, "export %s\n", quote(setting))
		}
		<-signals
		return 0, nil
	}
	cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	cmd.Env = append(os.Environ(), s.env...)
	if err := cmd.Start(); err != nil {
		return failed, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case sig := <-signals:
			_ = cmd.Process.Signal(sig) // it may just have ended
		case err := <-done:
			return exitCode(err)
		}
	}
}

// exitCode is the command's own, or 128 and the signal that ended it, as a shell would say.
func exitCode(err error) (int, error) {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		if err != nil {
			return failed, err
		}
		return 0, nil
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}

// quote makes NAME=value safe to paste into a shell.
func quote(setting string) string {
	for i := range setting {
		if setting[i] == '=' {
			return setting[:i+1] + "'" + setting[i+1:] + "'"
		}
	}
	return setting
}
