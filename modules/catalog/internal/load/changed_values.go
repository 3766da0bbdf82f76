package load

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
)

// changedValues counts values that differ from those of the filings before, and SEC numbers that the filings of other advisers had.
func (s *session) changedValues(ctx context.Context, d *filingReader) ([]catalogapi.ChangedValues, error) {
	changed, err := s.countChanged(ctx, "taken_numbers")
	if err != nil {
		return nil, err
	}
	for _, c := range compared {
		of, err := c.of(d)
		if err != nil {
			return nil, err
		}
		if of == nil {
			continue
		}
		found, err := s.compareRows(ctx, &c, of)
		if err != nil {
			return nil, err
		}
		changed = append(changed, found...)
	}
	return changed, nil
}

// compareRows compares a table.
func (s *session) compareRows(ctx context.Context, c *comparison, of *table) ([]catalogapi.ChangedValues, error) {
	var counts, fields []string
	for i, f := range c.fields {
		name := f.name
		if c.table != "" {
			name = c.table + "." + name
		}
		counts = append(counts, fmt.Sprintf("count(*) FILTER (WHERE %[1]s) AS n%[2]d, count(*) FILTER (WHERE %[1]s AND %[3]s) AS d%[2]d", f.stated, i, f.differs))
		fields = append(fields, fmt.Sprintf("(%[1]s, c.n%[2]d, c.d%[2]d)", literal(name), i))
	}
	staged, final := c.rows(of)
	return s.countChanged(ctx, "changed_values", "$staged$", staged, "$final$", final, "$match$", c.match,
		"$counts$", strings.Join(counts, ", "), "$fields$", strings.Join(fields, ", "))
}

func (s *session) countChanged(ctx context.Context, statement string, args ...string) ([]catalogapi.ChangedValues, error) {
	rows, err := s.query(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("catalog load: compare values: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[catalogapi.ChangedValues])
	if err != nil {
		return nil, fmt.Errorf("catalog load: compare values: %w", err)
	}
	return found, nil
}
