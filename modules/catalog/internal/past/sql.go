package past

import (
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/history"
)

// The statements are written for the present: what a cut asks for more stands in them as {{…}} and is left out where there
// is no limit to the instant. $1 is the day up to which filings count, $2 the instant up to which they were processed.
//
// Versions are joined with the filings that count, as these stood. A filing that was restated since counts with the
// edition that stood at the instant, where there was one: in the replaced editions it is the first one replaced after it.
const (
	filingsSQL = `(
		SELECT f.accession, f.crd, f.source, f.filing_date, f.submitted_at, coalesce(f.filing_id, 0) AS filing_id, f.funds_listed
		FROM catalog.filings f WHERE f.form_type IN ('ADV', 'ADV/A') AND f.filing_date <= $1{{restated filings}}
	) f`
	restatedFilingsSQL = ` AND f.processed_at <= $2
		UNION ALL
		SELECT f.accession, f.crd, f.source, r.filing_date, r.submitted_at, coalesce(f.filing_id, 0), r.funds_listed
		FROM catalog.replaced_versions r JOIN catalog.filings f USING (accession)
		WHERE f.form_type IN ('ADV', 'ADV/A') AND r.fund_id = '' AND r.processed_at <= $2 AND r.replaced_at > $2 AND r.filing_date <= $1`

	filedColumns = `f.accession, f.crd::bigint, f.source, f.filing_date, f.submitted_at, f.filing_id, f.funds_listed`

	listsSQL = `SELECT ` + filedColumns + ` FROM {{filings}} WHERE f.funds_listed`

	fundsSQL = `
		SELECT substr(v.fund_id, 5)::bigint, ` + filedColumns + `,
			v.name, v.fund_type, v.fund_type_other, v.is_fund_of_funds, v.gross_asset_value, v.form_d_file_numbers, v.silent
		FROM {{fund versions}} v JOIN {{filings}} USING (accession)`
	// The funds of which a version is silent about what the answers ask.
	silentFundsSQL = `
		SELECT DISTINCT substr(v.fund_id, 5)::bigint FROM {{fund versions}} v JOIN {{filings}} USING (accession)
		WHERE v.silent && '{fund_type,fund_type_other,is_fund_of_funds}'`
	fundVersionsSQL      = `catalog.fund_versions`
	knownFundVersionsSQL = `(
		SELECT v.* FROM catalog.fund_versions v
		WHERE NOT EXISTS (SELECT 1 FROM catalog.replaced_versions r
			WHERE r.accession = v.accession AND r.fund_id = v.fund_id AND r.replaced_at > $2)
		UNION ALL
		SELECT v.* FROM (
			SELECT DISTINCT ON (r.accession, r.fund_id) r.said FROM catalog.replaced_versions r
			WHERE r.fund_id <> '' AND r.replaced_at > $2 ORDER BY r.accession, r.fund_id, r.replaced_at
		) r, jsonb_populate_record(null::catalog.fund_versions, r.said) v WHERE r.said IS NOT NULL
	)`

	advisersSQL = `
		SELECT ` + filedColumns + `,
			v.legal_name, v.registration, v.city, v.state, v.country, v.private_residence, v.raum, v.advises_funds,
			v.reported_fund_count, v.reported_fund_gav, v.silent
		FROM {{adviser versions}} v JOIN {{filings}} USING (accession) ORDER BY 2`
	adviserVersionsSQL      = `catalog.adviser_versions`
	knownAdviserVersionsSQL = `(
		SELECT v.* FROM catalog.adviser_versions v
		WHERE NOT EXISTS (SELECT 1 FROM catalog.replaced_versions r
			WHERE r.accession = v.accession AND r.fund_id = '' AND r.replaced_at > $2)
		UNION ALL
		SELECT v.* FROM catalog.replaced_versions r, jsonb_populate_record(null::catalog.adviser_versions, r.said) v
		WHERE r.fund_id = '' AND r.processed_at <= $2 AND r.replaced_at > $2
	)`

	withdrawalsSQL = `
		SELECT w.crd::bigint, max(w.filing_date) FROM (
			SELECT f.crd, f.filing_date FROM catalog.withdrawals w JOIN catalog.filings f USING (accession)
			WHERE w.is_full AND f.filing_date <= $1{{restated withdrawals}}
		) w GROUP BY w.crd`
	restatedWithdrawalsSQL = ` AND f.processed_at <= $2
			UNION ALL
			SELECT r.crd, r.filing_date FROM catalog.replaced_versions r
			WHERE r.fund_id = '' AND r.processed_at <= $2 AND r.replaced_at > $2 AND r.filing_date <= $1 AND (r.said ->> 'is_full')::boolean`

	// The keys of the names that any fund bears, or bore.
	namesSQL = `(SELECT name_key FROM catalog.funds WHERE name_key IS NOT NULL UNION SELECT name_key FROM catalog.fund_former_names)`
	// The notices of the chains that any fund is joined to, or may be by its name, at whatever moment.
	noticesSQL = `
		SELECT f.accession, coalesce(f.file_number, ''), coalesce(f.previous_accession, ''), f.filing_date, f.first_sale
		FROM {{offerings}} WHERE f.filing_date <= $1 AND f.chain IN (
			SELECT o.chain FROM catalog.offerings o JOIN catalog.offering_funds USING (accession)
			UNION
			SELECT o.chain FROM catalog.offerings o JOIN (
				SELECT jsonb_array_elements_text(r.said -> 'form_d_file_numbers') AS file_number FROM catalog.replaced_versions r
				WHERE jsonb_typeof(r.said -> 'form_d_file_numbers') = 'array'
			) r USING (file_number)
			UNION
			SELECT o.chain FROM catalog.offering_issuers i JOIN catalog.offerings o USING (accession) WHERE i.name_key IN ` + namesSQL + `{{restated chains}}
		)`
	offeringsSQL      = `catalog.offerings f`
	knownOfferingsSQL = `(
		SELECT ` + offeringColumns + `, o.chain FROM catalog.offerings o WHERE o.processed_at <= $2
		UNION ALL
		SELECT ` + offeringColumns + `, n.chain FROM catalog.replaced_offerings r JOIN catalog.offerings n USING (accession),
			jsonb_populate_record(null::catalog.offerings, r.said) o WHERE r.processed_at <= $2 AND r.replaced_at > $2
	) f`
	offeringColumns = `o.accession, o.file_number, o.previous_accession, o.filing_date, o.first_sale, o.fund_type, o.industry_group,
			o.securities, o.exemptions`
	// What was restated may have been joined otherwise.
	restatedChainsSQL = `
			UNION SELECT o.chain FROM catalog.replaced_offerings r JOIN catalog.offerings o USING (accession)
			UNION ` + history.RelinkedSQL + `
	`

	knownIssuersSQL = `(
		SELECT i.accession, i.name_key, i.name_form, i.city, i.state
		FROM catalog.offering_issuers i JOIN catalog.offerings o USING (accession) WHERE o.processed_at <= $2
		UNION ALL
		SELECT r.accession, i.name_key, i.name_form, i.city, i.state
		FROM catalog.replaced_offerings r, jsonb_populate_recordset(null::catalog.offering_issuers, r.issuers) i
		WHERE r.processed_at <= $2 AND r.replaced_at > $2
	) i`

	officesSQL = `SELECT ` + filedColumns + `, v.city, v.state, v.country, v.private_residence, v.silent
		FROM {{adviser versions}} v JOIN {{filings}} USING (accession) WHERE f.crd = ANY ({{more}})`
)

// The issuers whose names may be those of funds.
var issuersSQL = `
	SELECT f.accession, i.name_key, i.name_form, coalesce(i.city, ''), coalesce(i.state, '')
	FROM {{issuers}} JOIN {{offerings}} USING (accession)
	WHERE f.filing_date <= $1 AND i.name_key IN ` + namesSQL + ` AND ` + history.OfAFund("f")

// unlistedSQL finds who was in no list any more.
var unlistedSQL = history.UnlistedSQL("", "{{processed}}")

var (
	present = strings.NewReplacer("{{filings}}", strings.Replace(filingsSQL, "{{restated filings}}", "", 1),
		"{{fund versions}}", fundVersionsSQL, "{{adviser versions}}", adviserVersionsSQL, "{{processed}}", "",
		"{{restated withdrawals}}", "", "{{offerings}}", offeringsSQL, "{{issuers}}", "catalog.offering_issuers i", "{{restated chains}}", "")
	knownThen = strings.NewReplacer("{{filings}}", strings.Replace(filingsSQL, "{{restated filings}}", restatedFilingsSQL, 1),
		"{{fund versions}}", knownFundVersionsSQL, "{{adviser versions}}", knownAdviserVersionsSQL,
		"{{processed}}", " AND f.processed_at <= $2", "{{restated withdrawals}}", restatedWithdrawalsSQL, "{{offerings}}", knownOfferingsSQL,
		"{{issuers}}", knownIssuersSQL, "{{restated chains}}", restatedChainsSQL)
)

// statement writes a statement for the cut, with its parameters.
func (c *Cut) statement(sql string) (text string, args []any) {
	day := pgtype.Date{InfinityModifier: pgtype.Infinity, Valid: true}
	if !c.Filed.IsZero() {
		day = pgtype.Date{Time: c.Filed, Valid: true}
	}
	if c.Known.IsZero() {
		return present.Replace(sql), []any{day}
	}
	return knownThen.Replace(sql), []any{day, pgtype.Timestamptz{Time: c.Known.Truncate(time.Microsecond), Valid: true}}
}
