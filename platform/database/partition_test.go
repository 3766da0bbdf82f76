package database_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
)

// log is a table of which nothing is ever changed, partitioned by a date.
const logTable = `CREATE SCHEMA books;
	CREATE TABLE books.log (day date NOT NULL, n int NOT NULL, PRIMARY KEY (day, n)) PARTITION BY RANGE (day);
	CREATE TABLE books.log_rest PARTITION OF books.log DEFAULT;
	CREATE FUNCTION books.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'never'; END $$;
	CREATE TRIGGER rows_kept BEFORE UPDATE OR DELETE ON books.log FOR EACH ROW EXECUTE FUNCTION books.refuse();
	CREATE TRIGGER table_kept BEFORE TRUNCATE ON books.log FOR EACH STATEMENT EXECUTE FUNCTION books.refuse();
	INSERT INTO books.log VALUES ('2026-10-31', 1), ('2026-11-01', 2), ('2026-11-30', 3), ('2026-12-01', 4)`

func TestMonths(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"UTC", "Asia/Tokyo", "America/New_York"} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			db := open(t, func(c *database.Config) { c.MaxConns, c.TimeZone = 8, zone })
			exec := func(statement string) error { return db.From(t.Context()).Exec(statement).Error }
			require.NoError(t, exec(logTable))
			now := time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC)
			var wait sync.WaitGroup
			for range 4 { // processes that begin together
				wait.Go(func() {
					months := database.NewMonths(db, database.Partitioned{Table: "books.log", Column: "day"})
					for range 2 {
						if err := months.Ahead(t.Context(), now); err != nil {
							t.Error(err)
						}
					}
				})
			}
			wait.Wait()
			rows, err := database.Values[string](t.Context(), db, "", "SELECT tableoid::regclass || ' ' || n FROM books.log ORDER BY n", nil)
			require.NoError(t, err)
			require.Equal(t, []string{"books.log_rest 1", "books.log_2026_11 2", "books.log_2026_11 3", "books.log_2026_12 4"}, rows)
			for _, bad := range []string{
				"UPDATE books.log SET n = n + 1", "DELETE FROM books.log_rest", "DELETE FROM books.log_2026_11", "UPDATE books.log_2026_12 SET n = 9",
				"TRUNCATE books.log", "TRUNCATE books.log_2026_11",
			} {
				require.ErrorContains(t, exec(bad), "never", bad)
			}
		})
	}
}

func TestMonthsWithoutADatabase(t *testing.T) {
	t.Parallel()
	db := open(t, func(*database.Config) {})
	months := database.NewMonths(db, database.Partitioned{Table: "books.log", Column: "day"})
	require.Error(t, months.Ensure(t.Context(), time.Now()), "no such table")
	require.NoError(t, db.From(t.Context()).Exec(logTable).Error)
	require.NoError(t, months.Ensure(t.Context(), time.Now()), "a failure is not remembered as success")
	db.Close()
	require.True(t, database.Away(months.Ensure(t.Context(), time.Now().AddDate(0, 2, 0))))
}
