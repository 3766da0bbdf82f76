package database

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"gpatlas/platform/clock"
)

// The values that an empty setting means.
const (
	DefaultMaxConns         = 16
	DefaultStatementTimeout = 30 * time.Second
	DefaultConnectTimeout   = 5 * time.Second
	DefaultApplicationName  = "gpatlas"
)

// Config says which database to use and how much of it. The prefix of its settings is DATABASE_.
type Config struct {
	// URL is a libpq URL or keyword string. It has no default.
	URL string `env:"URL"`
	// MaxConns is the maximum number of connections of this process. 0 means 16.
	MaxConns int32 `env:"MAX_CONNS" envDefault:"16" min:"0"`
	// MinConns is the number of connections kept open while idle.
	MinConns int32 `env:"MIN_CONNS" envDefault:"0" min:"0"`
	// StatementTimeout cancels statements that run longer. 0 means DefaultStatementTimeout; a negative value means no limit.
	// A transaction that may take longer (an ingestion) lifts the limit for itself with `SET LOCAL statement_timeout = 0`.
	StatementTimeout time.Duration `env:"STATEMENT_TIMEOUT" envDefault:"30s"`
	// ConnectTimeout limits one connection attempt. 0 means DefaultConnectTimeout.
	ConnectTimeout time.Duration `env:"CONNECT_TIMEOUT" envDefault:"5s" min:"0s"`
	// ApplicationName is the name shown in pg_stat_activity. Empty means DefaultApplicationName.
	ApplicationName string `env:"APPLICATION_NAME" envDefault:"gpatlas"`

	// TimeZone is the sessions' time zone. Empty means UTC, and nothing but a test should say otherwise:
	// dbtest uses it to make code that leans on the session's zone fail.
	TimeZone string `env:"-"`
	// Logger hears of failed and slow statements, without their values. nil is silence.
	Logger *slog.Logger `env:"-"`
	// Clock fills the columns that GORM times itself. nil is the machine's clock.
	Clock clock.Clock `env:"-"`
}

// Validate says everything that is wrong with the settings, each fault with the setting's name.
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
	if c.MinConns > c.maxConns() {
		faults = append(faults, fmt.Errorf("DATABASE_MIN_CONNS: %d is more than DATABASE_MAX_CONNS (%d)", c.MinConns, c.maxConns()))
	}
	return errors.Join(faults...)
}

func (c Config) maxConns() int32 {
	if c.MaxConns == 0 {
		return DefaultMaxConns
	}
	return c.MaxConns
}
