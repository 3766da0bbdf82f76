package load

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/database"
	"gpatlas/platform/stage"
)

// lockKey is the advisory lock that loads take, an arbitrary number of ours.
const lockKey = 0x6770_6174_6c61_73

// workMem is what a sort or a hash table may take of the server's memory before it goes to its disk.
const workMem = "64MB"

//go:embed sql/*.sql
var sqlFiles embed.FS

// fragments are what the statements share with those of package history.
var fragments = strings.NewReplacer("{{of a fund}}", history.OfAFund("o"))

// session is one load: a connection inside its transaction.
type session struct {
	c *pgx.Conn
	// unordered: fund_versions has no index to be filled, so that rows may come in any order.
	unordered bool
	// loading: documents were merged since the current state was derived; restated: some with filings known before.
	loading, restated bool
	// all: the current state to be derived is the first, so that all there is is affected.
	all bool
	// reason is why the transaction changes rows, for the log of changes; filled: it made the first state.
	reason string
	filled bool
}

// exclusively runs fn in a transaction that holds the lock of the loads. It may take as long as it takes: only the
// context ends it, or a statement of an hour.
func (l *Loader) exclusively(ctx context.Context, reason string, fn func(ctx context.Context, s *session) error) error {
	ctx = database.WithStatementLimit(ctx, database.LongStatement)
	return l.db.InTx(ctx, func(ctx context.Context) error {
		return l.db.Conn(ctx, func(c *pgx.Conn) error {
			s := &session{c: c, reason: reason}
			if err := s.run(ctx, "settings", "$work_mem$", literal(workMem)); err != nil {
				return err
			}
			if err := s.alone(ctx); err != nil {
				return err
			}
			began, err := publish.Arrive(ctx, c)
			if err != nil {
				return err
			}
			if err := s.run(ctx, "changes_tables"); err != nil {
				return err
			}
			if err := fn(ctx, s); err != nil {
				return err
			}
			if err := l.logChanges(ctx, s); err != nil || !began {
				return err
			}
			return publish.Date(ctx, c)
		})
	})
}

// alone waits for other loads.
func (s *session) alone(ctx context.Context) error {
	var free bool
	err := s.c.QueryRow(ctx, fmt.Sprintf("SELECT pg_try_advisory_xact_lock(%d)", lockKey), pgx.QueryExecModeSimpleProtocol).Scan(&free)
	if err != nil || free {
		return err
	}
	defer stage.Begin(ctx, "waiting for another ingestion to end")()
	return s.exec(ctx, "wait for other loads", fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", lockKey))
}

// exec runs statements without parameters, several at once where the text has them.
func (s *session) exec(ctx context.Context, what, statements string) error {
	if _, err := s.c.Exec(ctx, statements); err != nil {
		return fmt.Errorf("catalog load: %s: %w", what, err)
	}
	return nil
}

// statement returns an embedded file. Its parameters are written as $name$ and are replaced by our own literals.
func statement(name string, params []string) (string, error) {
	text, err := sqlFiles.ReadFile("sql/" + name + ".sql")
	if err != nil {
		return "", fmt.Errorf("catalog load: %w", err)
	}
	return strings.NewReplacer(params...).Replace(fragments.Replace(string(text))), nil
}

// run executes one of the embedded files.
func (s *session) run(ctx context.Context, name string, params ...string) error {
	statements, err := statement(name, params)
	if err != nil {
		return err
	}
	return s.exec(ctx, name, statements)
}

// do executes one of the embedded files, with one statement in it, and says how many rows it wrote.
func (s *session) do(ctx context.Context, name string, params ...string) (pgconn.CommandTag, error) {
	text, err := statement(name, params)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := s.c.Exec(ctx, text)
	if err != nil {
		return tag, fmt.Errorf("catalog load: %s: %w", name, err)
	}
	return tag, nil
}

// query reads the rows of one of the embedded files.
func (s *session) query(ctx context.Context, name string, params ...string) (pgx.Rows, error) {
	text, err := statement(name, params)
	if err != nil {
		return nil, err
	}
	return s.c.Query(ctx, text, pgx.QueryExecModeExec)
}

// one reads the one row of one of the embedded files.
func (s *session) one(ctx context.Context, name string, params []string, dest ...any) error {
	text, err := statement(name, params)
	if err != nil {
		return err
	}
	return s.c.QueryRow(ctx, text, pgx.QueryExecModeExec).Scan(dest...)
}

func (s *session) number(ctx context.Context, what, query string) (n int64, err error) {
	if err := s.c.QueryRow(ctx, query, pgx.QueryExecModeSimpleProtocol).Scan(&n); err != nil {
		return 0, fmt.Errorf("catalog load: %s: %w", what, err)
	}
	return n, nil
}

const announceSQL = `WITH new AS (INSERT INTO catalog.publications (run_id, reason) VALUES (@run, @reason) RETURNING seq)
SELECT pg_notify(@channel, seq::text) FROM new`

// publish writes a publication and sends its notice: both arrive with the commit or not at all. runID is the ingestion run that brought
// the change, 0 where there was none; reason is for people to read.
func (s *session) publish(ctx context.Context, runID int64, reason string) error {
	if _, err := s.c.Exec(ctx, announceSQL, database.Args{"run": runID, "reason": reason, "channel": publish.Channel}); err != nil {
		return fmt.Errorf("announce the change: %w", err)
	}
	return nil
}

// Empty reports whether the catalog holds no adviser at all.
func (l *Loader) Empty(ctx context.Context) (empty bool, err error) {
	err = l.db.Conn(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT NOT EXISTS (SELECT 1 FROM catalog.advisers)`).Scan(&empty)
	})
	if err != nil {
		return false, fmt.Errorf("look into the catalog: %w", err)
	}
	return empty, nil
}

// quoteList renders names of ours as an SQL list, each behind a prefix.
func quoteList(prefix string, names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = prefix + n
	}
	return strings.Join(out, ", ")
}
