package purchase

import (
	"context"
	_ "embed"
	"strings"

	"gpatlas/platform/database"
)

// store reads the ledger.
type store struct{ db *database.DB }

// args are the filter's, which all statements have.
func (f *Filter) args() database.Args {
	return database.Args{
		"user": f.UserID, "crd": f.CRD, "month": f.Month, "operation": f.Operation, "key": f.Key, "from": f.From, "until": f.Until,
	}
}

// where keeps the charges c that the filter asks for.
var where = strings.NewReplacer("{{where}}", `WHERE c.user_id = @user AND (@crd::text IS NULL OR c.crd = @crd) AND (@month::date IS NULL OR c.period = @month)
	AND (@operation::text IS NULL OR c.operation = @operation)
	AND (@key::text IS NULL OR coalesce(c.key_id::text, 'none') = @key)
	AND (@from::timestamptz IS NULL OR c.at >= @from) AND (@until::timestamptz IS NULL OR c.at < @until)`)

var totalsSQL = where.Replace("SELECT count(*)::integer AS total, coalesce(sum(c.amount_micros), 0)::bigint AS amount FROM billing.charges c {{where}}")

func (s *store) totals(ctx context.Context, f *Filter) (Totals, error) {
	rows, err := database.Select[Totals](ctx, s.db, "add up purchases", totalsSQL, f.args())
	if err != nil {
		return Totals{}, err
	}
	return rows[0], nil
}

var listSQL = where.Replace(`SELECT c.id, c.at AS created_at, c.operation, c.product, c.crd, nullif(c.subject, '') AS subject, c.quantity, c.unit_micros AS unit_price,
	c.amount_micros AS amount, c.mode, c.key_id::text AS key_id, coalesce(k.name, '') AS key_name, c.request_id, c.reason
FROM billing.charges c LEFT JOIN keys.pub_api_key k ON k.id = c.key_id
{{where}}
	AND (@before::bigint IS NULL OR c.id < @before)
ORDER BY c.id DESC
LIMIT @limit OFFSET @offset`)

// list returns rows with lower IDs than before; 0 is no bound.
func (s *store) list(ctx context.Context, f *Filter, before int64, limit, offset int) ([]Purchase, error) {
	type row struct {
		Purchase

		KeyID   *string
		KeyName string
	}
	args := f.args()
	args["limit"], args["offset"], args["before"] = limit, offset, nil
	if before != 0 {
		args["before"] = before
	}
	rows, err := database.Select[row](ctx, s.db, "read purchases", listSQL, args)
	list := make([]Purchase, len(rows))
	for i := range rows {
		list[i] = rows[i].Purchase
		list[i].CreatedAt, list[i].Key = list[i].CreatedAt.UTC(), newKey(rows[i].KeyID, rows[i].KeyName)
	}
	return list, err
}

//go:embed groups.sql
var groupsSQL string

func (s *store) groups(ctx context.Context, f *Filter, by string) ([]Sum, error) {
	type row struct {
		Sum

		KeyID   *string
		KeyName string
	}
	args := f.args()
	args["by"] = by
	rows, err := database.Select[row](ctx, s.db, "add up purchases by group", where.Replace(groupsSQL), args)
	list := make([]Sum, len(rows))
	for i := range rows {
		list[i] = rows[i].Sum
		list[i].Key = newKey(rows[i].KeyID, rows[i].KeyName)
	}
	return list, err
}
