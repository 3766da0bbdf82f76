package offering

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

//go:embed market.sql
var marketSQL string

// orders are what the list is sorted by, which has an index, the same as a number, and the number as what it is sorted by.
var orders = map[string]struct{ by, key, from string }{
	"filed":    {"o.filing_date", "o.filing_date - DATE '1970-01-01'", "DATE '1970-01-01' + @key::int"},
	"offering": {"coalesce(o.offering_amount, -1)", "coalesce(o.offering_amount, -1)", "@key"},
	"sold":     {"coalesce(o.amount_sold, -1)", "coalesce(o.amount_sold, -1)", "@key"},
}

// StageSQL is the stage of an offering, by a fund f and its newest notice o. Notices before @since no longer hold.
const StageSQL = `CASE WHEN f.status = 'closed' THEN 'closed' WHEN ` + fold.SoldOutSQL + ` THEN 'sold_out'
	WHEN o.filing_date < @since THEN 'lapsed' WHEN o.yet_to_occur THEN 'announced' ELSE 'raising' END`

// marketRow is an offering with its place in the list.
type marketRow struct {
	filed
	Key      int64
	Offering string // its ID
}

// page reads the rows of a page, and one more if there is another page.
func (s *store) page(ctx context.Context, m *marketQuery) ([]marketRow, error) {
	args := database.Args{
		"states": m.states, "strategies": m.strategies, "stages": m.stages, "codes": m.codes, "min_offering": m.minOffering, "max_offering": m.maxOffering,
		"min_sold": m.minSold, "filed": m.filed, "first_sale": m.firstSale, "since": fold.OfferedSince(m.today), "limit": m.limit + 1,
	}
	var notices, where, funds, joined string
	order := orders[m.sort]
	also := func(to *string, asked bool, condition string) {
		if asked {
			*to += " AND " + condition
		}
	}
	also(&notices, m.minOffering != nil, "o.offering_amount >= @min_offering")
	also(&notices, m.maxOffering != nil, "o.offering_amount <= @max_offering")
	also(&notices, m.minSold != nil, "o.amount_sold >= @min_sold")
	also(&notices, !m.filed.IsZero(), "o.filing_date >= @filed")
	also(&notices, m.only(announced, raising), "o.filing_date >= @since")
	also(&notices, m.only(lapsed), "o.filing_date < @since")
	also(&notices, !m.firstSale.IsZero(), "o.first_sale >= @first_sale AND "+derive.FirstSaleSQL)
	also(&notices, m.codes != nil, "EXISTS (SELECT FROM unnest(o.exemptions) e (code) WHERE lower(trim(e.code)) = ANY (@codes))")
	if m.before != nil {
		args["key"], args["accession"] = m.before.Key, m.before.ID
		also(&notices, true, "("+order.by+", o.accession) < ("+order.from+", @accession)")
	}
	if m.recipients != nil {
		firms, err := s.firms(ctx, m.recipients)
		if err != nil || len(firms) == 0 {
			return nil, err
		}
		var names, crds []string
		for _, f := range firms {
			names, crds = append(names, f.Name), append(crds, catalogapi.TextOf(f.CRD))
		}
		args["names"], args["crds"] = names, crds
		also(&notices, true, `EXISTS (SELECT FROM catalog.offering_recipients r JOIN unnest(@names::text[], @crds::text[]) n (name, crd) ON r.name = n.name AND coalesce(r.crd, '') = n.crd
			WHERE r.accession = o.accession)`)
	}
	also(&funds, m.strategies != nil, "f.strategy = ANY (@strategies)")
	also(&funds, m.states != nil, "upper(a.state) = ANY (@states)")
	if m.states != nil {
		joined = " JOIN catalog.advisers a ON a.crd = f.adviser_crd"
	}
	if m.states != nil {
		accessions, err := s.ofPlaces(ctx, args, funds)
		if err != nil {
			return nil, err
		}
		args["accessions"] = accessions
		also(&notices, len(accessions) <= few, "o.accession = ANY (@accessions)")
	}
	also(&where, m.stages != nil, StageSQL+" = ANY (@stages)")
	statement := strings.NewReplacer("{{columns}}", noticeColumns, "{{key}}", order.key, "{{order}}", order.by, "{{joined}}", joined,
		"{{funds}}", funds, "{{where}}", notices+where).Replace(marketSQL)
	return database.Select[marketRow](ctx, s.db, "read all offerings", statement, args)
}

// few is up to how many notices are read by their keys. A page of more is found soon by walking in its order.
const few = 2000

// ofPlaces are the notices of funds that satisfy a condition on their managers' states; more than few where there are more.
func (s *store) ofPlaces(ctx context.Context, args database.Args, condition string) ([]string, error) {
	const statement = `SELECT l.accession FROM catalog.advisers a JOIN catalog.funds f ON f.adviser_crd = a.crd JOIN catalog.offering_funds l USING (fund_id)
		WHERE true{{funds}} LIMIT @few`
	args["few"] = few + 1
	return database.Values[string](ctx, s.db, "read offerings of states", strings.Replace(statement, "{{funds}}", condition, 1), args)
}

// firms are the recipients whose names, as they may be shown, contain one of some texts.
func (s *store) firms(ctx context.Context, parts []string) (firms []recipient, err error) {
	const statement = `SELECT DISTINCT r.name, r.crd, a.legal_name AS manager FROM catalog.offering_recipients r LEFT JOIN catalog.advisers a USING (crd)
		WHERE EXISTS (SELECT FROM unnest(@parts::text[]) p (part) WHERE strpos(lower(r.name), lower(p.part)) > 0 OR strpos(lower(a.legal_name), lower(p.part)) > 0)`
	found, err := database.Select[recipient](ctx, s.db, "look for recipients", statement, database.Args{"parts": parts})
	for _, r := range found {
		shown := strings.ToLower(r.shown(nil))
		if slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(shown, strings.ToLower(part)) }) {
			firms = append(firms, r)
		}
	}
	return firms, err
}
