package load

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
)

// compared are tables whose values change for few advisers at a time, with what finds a row in the filing before, and the fields.
var compared = []struct {
	table  *table
	match  string // SQL: n is a staged row, o one of the filing before
	fields []comparedField
}{
	{versionTable, "true", slices.Concat(
		fieldsOf(otherText, "legal_name", "sec_number", "city", "phone", "org_form", "org_state", "fiscal_year_end"),
		fieldsOf(otherAmount, "raum", "raum_discretionary", "raum_non_discretionary", "employee_count"),
	)},
	{fundTable, "o.fund_id = n.fund_id", slices.Concat(
		fieldsOf(otherText, "name", "state", "country", "fund_type"),
		fieldsOf(otherAmount, "gross_asset_value", "minimum_investment", "beneficial_owners_count"),
		fieldsOf(otherFlag, "is_3c1", "is_3c7", "is_master", "is_feeder"),
		fieldsOf(otherList, "auditors", "form_d_file_numbers"),
	)},
}

// comparedField is a column, whether its values n and o can be compared, and when they are different: SQL, in which n.$ and o.$ are the values.
type comparedField struct{ column, stated, differs string }

// amountFactor is how many times an amount is the other one, at least, where it counts as another: assets grow and shrink.
const amountFactor = "3"

var (
	otherText   = nameKey("n.$") + " <> " + nameKey("o.$")
	otherAmount = "greatest(n.$, o.$) > " + amountFactor + " * least(n.$, o.$)"
	otherFlag   = "n.$ <> o.$"
	otherList   = "NOT coalesce(n.$ && o.$, false)"
)

// bothStated is when two values can be compared. A list that is empty now can be too, unless the document lacks it.
const bothStated, listStated = "n.$ IS NOT NULL AND o.$ IS NOT NULL", "cardinality(o.$) > 0 AND '$' <> ALL (coalesce(n.silent, '{}'))"

func fieldsOf(differs string, columns ...string) (fields []comparedField) {
	stated := bothStated
	if differs == otherList {
		stated = listStated
	}
	for _, column := range columns {
		fields = append(fields, comparedField{column, stated, differs})
	}
	return fields
}

// changedValues counts values that differ from those of the filings before, and SEC numbers that the filings of other advisers had.
func (s *session) changedValues(ctx context.Context) (changed []catalogapi.ChangedValues, err error) {
	count := func(statement string, args ...string) error {
		rows, err := s.query(ctx, statement, args...)
		if err != nil {
			return fmt.Errorf("catalog load: compare values: %w", err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[catalogapi.ChangedValues])
		if err != nil {
			return fmt.Errorf("catalog load: compare values: %w", err)
		}
		changed = append(changed, found...)
		return nil
	}
	if err := count("taken_numbers"); err != nil {
		return nil, err
	}
	for _, c := range compared {
		var values []string
		for _, f := range c.fields {
			values = append(values, strings.ReplaceAll("("+literal(f.column)+", "+f.stated+", "+f.differs+")", "$", f.column))
		}
		err := count("changed_values", "$staged$", c.table.staged, "$final$", c.table.final, "$match$", c.match, "$fields$", strings.Join(values, ", "))
		if err != nil {
			return nil, err
		}
	}
	return changed, nil
}
