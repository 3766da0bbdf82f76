package database

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"gpatlas/platform/clock"
)

// The defaults of empty settings.
const (
	DefaultMaxConns         = 16
	DefaultStatementTimeout = 30 * time.Second
	DefaultConnectTimeout   = 5 * time.Second
	DefaultHostTimeout      = 2 * time.Second // if there are several hosts
	DefaultReadLag          = 2 * time.Second
	DefaultApplicationName  = "gpatlas"
)

// Config is which database to use and its limits. The prefix of its settings is DATABASE_.
type Config struct {
	// URL is a libpq URL or keyword string. It has no default.
	URL string `env:"URL"`
	// DirectURL is the URL of PostgreSQL itself, if DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer. The requests
	// of web processes then go through the pooler. Notices, workers and commands need sessions of their own and use this URL. Empty
	// means that there is no pooler.
	DirectURL string `env:"DIRECT_URL"`
	// ReadURL is the URL of a hot standby, or of a proxy before several. Web processes then read details, filing lists and past
	// days from it, also while the primary is unavailable. Empty means none.
	ReadURL string `env:"READ_URL"`
	// ReadLag is how far behind the standby may be. Beyond that, the primary is read. 0 means 2s.
	ReadLag time.Duration `env:"READ_LAG" envDefault:"2s" min:"0s"`
	// MaxConns is the maximum number of connections of this process. 0 means 16.
	MaxConns int32 `env:"MAX_CONNS" envDefault:"16" min:"0"`
	// MinConns is the number of connections kept open while idle.
	MinConns int32 `env:"MIN_CONNS" envDefault:"0" min:"0"`
	// StatementTimeout cancels statements that run longer. 0 means DefaultStatementTimeout; a negative value means no limit.
	// A transaction that may take longer (an ingestion) lifts the limit for itself with `SET LOCAL statement_timeout = 0`.
	StatementTimeout time.Duration `env:"STATEMENT_TIMEOUT" envDefault:"30s"`
	// ConnectTimeout limits one connection attempt. 0 means 5s, or 2s for each host if the URL names several.
	ConnectTimeout time.Duration `env:"CONNECT_TIMEOUT" envDefault:"0s" min:"0s"`
	// ApplicationName is the name shown in pg_stat_activity. Empty means DefaultApplicationName.
	ApplicationName string `env:"APPLICATION_NAME" envDefault:"gpatlas"`

	// TimeZone is the sessions' time zone. Empty means UTC. Only dbtest sets it, so that code that depends on the session's
	// zone fails.
	TimeZone string `env:"-"`
	// Logger receives failed and slow statements, without their values. nil logs nothing.
	Logger *slog.Logger `env:"-"`
	// Clock sets the columns that GORM times itself. nil is the system's clock.
	Clock clock.Clock `env:"-"`
}

// Validate returns all faults of the settings, each with the setting's name.
func (c Config) Validate() error {
	var faults []error
	if c.URL == "" {
		faults = append(faults, errors.New("DATABASE_URL: is not set"))
	} else {
		var to *pgx.ConnConfig
		pc, err := pgxpool.ParseConfig(c.URL)
		if err == nil {
			to = pc.ConnConfig
		}
		if err := badURL(c.URL, to, err); err != nil {
			faults = append(faults, err)
		}
	}
	for name, url := range map[string]string{"DATABASE_DIRECT_URL": c.DirectURL, "DATABASE_READ_URL": c.ReadURL} {
		if _, err := pgxpool.ParseConfig(url); url != "" && err != nil {
			faults = append(faults, errors.New(name+": must look like DATABASE_URL")) // the value may contain a password
		}
	}
	if c.MinConns > c.maxConns() {
		faults = append(faults, fmt.Errorf("DATABASE_MIN_CONNS: %d is more than DATABASE_MAX_CONNS (%d)", c.MinConns, c.maxConns()))
	}
	return errors.Join(faults...)
}

// Direct is the configuration for work that needs sessions of its own on the primary: no pooler, no standby.
func (c Config) Direct() Config {
	c.URL = cmp.Or(c.DirectURL, c.URL)
	c.DirectURL, c.ReadURL = "", ""
	return c
}

func (c Config) maxConns() int32 {
	if c.MaxConns == 0 {
		return DefaultMaxConns
	}
	return c.MaxConns
}
