package database

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// timeoutSetting is a parameter of sessions that a pooler in transaction mode refuses or drops: its sessions belong to no client.
const timeoutSetting = "statement_timeout"

// errPooler is why a URL that leads to a pooler cannot be used alone.
var errPooler = errors.New("DATABASE_URL leads to a pooler: set DATABASE_DIRECT_URL to the URL of PostgreSQL itself, for notices, workers and commands")

// throughPooler adapts connections to a pooler that lends a session for one transaction: no parameters of the session, and no
// prepared statements unless the URL names how to run statements (PgBouncer keeps them since 1.21).
func throughPooler(to *pgx.ConnConfig, url string) {
	delete(to.RuntimeParams, timeoutSetting)
	if !strings.Contains(url, "default_query_exec_mode") {
		to.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
}

// checkTimeout returns an error if statements have no time limit: a pooler that DATABASE_DIRECT_URL does not name has dropped our setting, or the
// role that the pooler uses has none.
func checkTimeout(ctx context.Context, pool *pgxpool.Pool, cfg Config) error {
	if cfg.StatementTimeout < 0 {
		return nil
	}
	var milliseconds int64
	const statement = "SELECT setting::bigint FROM pg_settings WHERE name = '" + timeoutSetting + "'"
	if err := pool.QueryRow(ctx, statement, pgx.QueryExecModeSimpleProtocol).Scan(&milliseconds); err != nil {
		return fmt.Errorf("ask for the time limit of statements: %w", err)
	}
	wanted := orDefault(cfg.StatementTimeout, DefaultStatementTimeout)
	switch {
	case cfg.DirectURL == "" && milliseconds != wanted.Milliseconds():
		return errPooler
	case milliseconds == 0:
		return fmt.Errorf("statements through the pooler of DATABASE_URL have no time limit: ALTER ROLE %s SET %s = '%s', and reconnect the pooler",
			pgx.Identifier{pool.Config().ConnConfig.User}.Sanitize(), timeoutSetting, wanted.Round(time.Millisecond))
	}
	return nil
}

// openDirect connects to PostgreSQL itself, for Listen.
func (db *DB) openDirect(ctx context.Context, cfg Config) error {
	cfg.MinConns = 0
	pc, err := poolConfig(cfg)
	if err != nil {
		return badURL(cfg.URL, nil, err)
	}
	pool, err := connect(ctx, pc)
	if err != nil {
		return fmt.Errorf("DATABASE_DIRECT_URL: %w", err)
	}
	db.direct = pool
	if err := checkTimeout(ctx, pool, cfg); err != nil {
		return fmt.Errorf("DATABASE_DIRECT_URL: %w", err)
	}
	return nil
}
