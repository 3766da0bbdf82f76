package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"gpatlas/modules"
	"gpatlas/modules/people"
	"gpatlas/platform/config"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/log"
	"gpatlas/platform/mail"
	"gpatlas/platform/redisclient"
	"gpatlas/platform/telemetry"
	"gpatlas/web"
)

//go:generate go test -count=1 -run ^TestEnvExample$ . -update

// settings is every setting of the service. Its fields are the sections of .env.example.
type settings struct {
	Web       web.Config `envPrefix:"WEB_"`
	Access    accessConfig
	Legal     web.LegalConfig  `envPrefix:"LEGAL_"`
	Database  database.Config  `envPrefix:"DATABASE_"`
	Redis     redisConfig      `envPrefix:"REDIS_"`
	Jobs      jobs.Config      `envPrefix:"JOBS_"`
	Log       log.Config       `envPrefix:"LOG_"`
	Mail      mail.Config      `envPrefix:"MAIL_"`
	Telemetry telemetry.Config `envPrefix:"OTEL_"`
	modules.Settings
}

// accessConfig is who may read the data.
type accessConfig struct {
	// Policy is "open" if anonymous callers can read public data, or "keyed" if public data need an API key or a session.
	Policy string `env:"ACCESS_POLICY" envDefault:"open"`
}

// Validate accepts the two values.
func (c accessConfig) Validate() error { return web.Config{AccessPolicy: c.Policy}.ValidateAccess() }

// redisConfig is where Redis is.
type redisConfig struct {
	// URL is redis://HOST:PORT/DB, rediss:// for TLS, unix:///PATH?db=N for a socket, or names Sentinels or a Cluster: see redisclient.Options.
	URL string `env:"URL"`
}

// Validate requires a valid URL.
func (c redisConfig) Validate() error {
	if c.URL == "" {
		return errors.New("REDIS_URL: is not set")
	}
	// The value is not repeated: it may contain a password. A # in a password makes the beginning of the password the port.
	if _, err := redisclient.Options(c.URL); err != nil || strings.Contains(c.URL, "#") {
		return errors.New("REDIS_URL: must look like redis://USER:PASSWORD@HOST:6379/0, rediss:// for TLS, unix:///PATH, or redis://HOST:26379/0?master_name=NAME&addr=HOST2:26379 for Sentinels; write special characters of the password as %40 (@), %2F (/), %3A (:), %23 (#), %3F (?)")
	}
	return nil
}

// redisLimit is how long Redis may take to answer at the start.
const redisLimit = 3 * time.Second

// reach pings Redis; the error is one line with the place, the cause and the remedy.
func (c redisConfig) reach(ctx context.Context) error {
	if err := c.Validate(); err != nil {
		return err
	}
	options, err := redisclient.Options(c.URL)
	if err != nil {
		return err //nolint:wrapcheck // Validate has read it
	}
	options.MaxRetries, options.DialTimeout = -1, redisLimit
	client := redis.NewUniversalClient(options)
	defer func() { _ = client.Close() }()
	limit, cancel := context.WithTimeout(ctx, redisLimit)
	defer cancel()
	switch err = client.Ping(limit).Err(); {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOENT):
		err = errors.New("nothing is listening there: start Redis, or correct REDIS_URL")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		err = errors.New("it does not respond in time: check that it is running and that no firewall blocks the connection, or correct REDIS_URL")
	default:
		err = fmt.Errorf("%w: correct REDIS_URL", err)
	}
	return fmt.Errorf("cannot reach Redis at %s: %w", strings.Join(options.Addrs, ", "), err)
}

// warnOfMisspelt names variables that look like settings on standard error.
func (p *program) warnOfMisspelt() {
	for _, m := range p.misspelt {
		_, _ = fmt.Fprintln(p.stderr, "gpatlas: warning:", m)
	}
}

// settingsFor reads the settings of one process, and ignores missing ones that it does not need. Invalid ones are always
// reported: the other processes usually have the same environment.
func (p *program) settingsFor(unused ...string) (settings, error) {
	var s settings
	err := config.LoadFor(p.environ, &s, func(name string) bool {
		return p.getenv(name) != "" || !slices.ContainsFunc(unused, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	})
	p.misspelt = config.Unknown(p.environ, &s)
	s.Web.AccessPolicy, s.Web.Legal = s.Access.Policy, s.Legal
	if slices.Contains(p.environ, "WEB_INTERNAL_ADDR=") { // empty means off here; elsewhere it means the default
		s.Web.InternalAddr = ""
	}
	return s, err
}

// commandSettings are the settings of commands that work on a database and end.
func (p *program) commandSettings() (settings, error) {
	return p.settingsFor("DATABASE_URL", "REDIS_URL", "MAIL_", "ACCOUNTS_JWT_KEYS")
}

// devSettings are the settings of `gpatlas dev`: the servers and the folder of emails are set later, and the log has only
// failed requests, unless the environment sets another level.
func (p *program) devSettings() (settings, error) {
	s, err := p.settingsFor("ACCOUNTS_JWT_KEYS", "DATABASE_URL", "REDIS_URL", "MAIL_SMTP_URL")
	if p.getenv("WEB_ACCESS_LOG") == "" {
		s.Web.AccessLog = "errors"
	}
	if s.Web.InternalAddr != "" && p.getenv("WEB_INTERNAL_ADDR") == "" {
		s.Web.InternalAddr = "127.0.0.1:0" // several may run on a machine; the banner shows the port
	}
	if p.getenv("ANONYMOUS_LIMITS") == "" {
		s.Keys.AnonymousLimits = "off" // there are no other callers to protect from
	}
	return s, err
}

// inventedPeople enriches the people of the sample with invented values, unless the environment sets providers.
func (p *program) inventedPeople(s *settings) {
	if !slices.ContainsFunc(p.environ, func(line string) bool { return strings.HasPrefix(line, "PEOPLE_PROVIDERS=") }) {
		s.People.Providers = people.ForSample()
	}
}

// plainLog is the log of commands that a person watches.
func (p *program) plainLog() *slog.Logger {
	logger, _ := log.Open(log.Config{Format: "text"}, p.stderr)
	return logger
}
