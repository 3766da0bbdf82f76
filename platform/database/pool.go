package database

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// poolConfig converts our settings to pgx's. Our settings override those in the URL (application_name, statement_timeout as a
// runtime parameter), so that there is one place for them.
func poolConfig(cfg Config) (*pgxpool.Config, error) {
	pc, err := pgxpool.ParseConfig(cfg.URL)
	if err != nil {
		return nil, err
	}
	pc.MaxConns = cfg.maxConns()
	pc.MinConns = cfg.MinConns
	pc.MaxConnLifetime = time.Hour
	pc.MaxConnLifetimeJitter = 6 * time.Minute
	pc.MaxConnIdleTime = 10 * time.Minute
	pc.ConnConfig.DialFunc = dialer.DialContext
	connect := DefaultConnectTimeout
	if several(pc.ConnConfig) {
		connect = DefaultHostTimeout
	}
	pc.ConnConfig.ConnectTimeout = orDefault(cfg.ConnectTimeout, connect)
	pc.PingTimeout = pc.ConnConfig.ConnectTimeout // of an idle connection: one that does not answer is replaced

	params := pc.ConnConfig.RuntimeParams
	params["application_name"] = orDefault(cfg.ApplicationName, DefaultApplicationName)
	params["timezone"] = orDefault(cfg.TimeZone, "UTC")
	timeout := max(orDefault(cfg.StatementTimeout, DefaultStatementTimeout), 0)
	if cfg.DirectURL == "" {
		params[timeoutSetting] = strconv.FormatInt(timeout.Milliseconds(), 10)
	} else {
		throughPooler(pc.ConnConfig, cfg.URL)
	}
	limits := limiter{}
	if timeout > 0 {
		limits.statement = timeout + statementSlack
	}
	pc.ConnConfig.Tracer = limits

	followed := &hosts{}
	followed.follow(pc.ConnConfig)
	pc.BeforeConnect = followed.sort
	pc.AfterConnect = func(_ context.Context, c *pgx.Conn) error {
		followed.reached(c)
		readTimesAsUTC(c.TypeMap())
		return nil
	}
	return pc, nil
}

// Types are the types of the values of a connection, for rows that are read without one.
func Types() *pgtype.Map {
	m := pgtype.NewMap()
	readTimesAsUTC(m)
	return m
}

// readTimesAsUTC returns timestamps in UTC. pgx would return them in the system's zone, so that the same row would be rendered
// differently on a laptop and on a server.
func readTimesAsUTC(m *pgtype.Map) {
	tz := &pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC}}
	m.RegisterType(tz)
	m.RegisterType(&pgtype.Type{Name: "_timestamptz", OID: pgtype.TimestamptzArrayOID, Codec: &pgtype.ArrayCodec{ElementType: tz}})
}

func orDefault[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}
