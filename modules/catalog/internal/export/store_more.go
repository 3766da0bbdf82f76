package export

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/offering"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/database"
)

// readRows is how many rows are read at a time.
const readRows = 1000

// errPublished reports that the database has another publication than the snapshot.
var errPublished = errors.New("the catalog has changed")

const (
	gpMoreSQL   = "SELECT crd, ARRAY[{{values}}] FROM catalog.advisers WHERE crd = ANY (@keys)"
	fundMoreSQL = "SELECT fund_id, ARRAY[{{values}}] FROM catalog.funds f WHERE fund_id = ANY (@keys)"
	stageSQL    = "(SELECT " + offering.StageSQL + ` FROM catalog.offering_funds l JOIN catalog.offerings o USING (accession)
		WHERE l.fund_id = f.fund_id ORDER BY o.filing_date DESC, o.accession DESC LIMIT 1)`
)

// read reads the values of columns by key on a day, all of one publication. If the database has another one, the error is errPublished.
func (s *store) read(ctx context.Context, template string, list []more, keys []string, publication int64, today time.Time) (map[string][]*string, error) {
	values := make([]string, len(list))
	for i, m := range list {
		values[i] = m.sql
	}
	sql := strings.Replace(template, "{{values}}", strings.Join(values, ", "), 1)
	all := make(map[string][]*string, len(keys))
	err := s.db.Snapshot(ctx, func(c *pgx.Conn) error {
		if latest, err := publish.Latest(ctx, c); err != nil {
			return err
		} else if latest != publication {
			return errPublished
		}
		for some := range slices.Chunk(keys, readRows) {
			rows, err := c.Query(ctx, sql, database.Args{"keys": some, "since": fold.OfferedSince(today)})
			if err != nil {
				return fmt.Errorf("read details: %w", err)
			}
			var key string
			var of []*string
			if _, err = pgx.ForEachRow(rows, []any{&key, &of}, func() error {
				all[key] = slices.Clone(of)
				return nil
			}); err != nil {
				return fmt.Errorf("read details: %w", err)
			}
		}
		if len(all) < len(keys) { // the same publication has the same rows
			return fmt.Errorf("%d of %d rows have no details", len(keys)-len(all), len(keys))
		}
		return nil
	})
	if errors.Is(err, errPublished) {
		return nil, errPublished
	}
	return all, database.Failure("read the details of an export", err)
}
