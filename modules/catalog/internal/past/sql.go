package past

import (
	_ "embed"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/history"
	"gpatlas/platform/database"
)

// The statements. What an AsOf asks for stands in them as {{…}}: the tables, or the rows of these as they stood at an instant.
// @day is the day up to which filings count, @known the instant up to which they were processed.
//
// Versions are joined with the filings that count, as these stood. A filing that was restated since counts with the
// edition that stood at the instant, where there was one: in the replaced editions it is the first one replaced after it.
var (
	//go:embed lists.sql
	listsSQL string
	//go:embed funds.sql
	fundsSQL string
	//go:embed silent_funds.sql
	silentFundsSQL string
	//go:embed advisers.sql
	advisersSQL string
	//go:embed offices.sql
	officesSQL string
	//go:embed withdrawals.sql
	withdrawalsSQL string
	//go:embed notices.sql
	noticesSQL string
	//go:embed issuers.sql
	issuersSQL string

	// unlistedSQL finds who was in no list any more.
	unlistedSQL = history.UnlistedSQL("", "{{processed}}")
)

// What {{…}} stands for.
var (
	//go:embed filings.sql
	filingsSQL string
	//go:embed known_filings.sql
	knownFilingsSQL string
	//go:embed known_funds.sql
	knownFundsSQL string
	//go:embed known_advisers.sql
	knownAdvisersSQL string
	//go:embed known_offerings.sql
	knownOfferingsSQL string
	//go:embed known_issuers.sql
	knownIssuersSQL string
	//go:embed restated_withdrawals.sql
	restatedWithdrawalsSQL string
	// restatedChainsSQL finds what may have been joined otherwise.
	//go:embed restated_chains.sql
	restatedChainsSQL string
	// namesSQL is the keys of the names that any fund bears, or bore.
	//go:embed names.sql
	namesSQL string

	present = strings.NewReplacer("{{names}}", namesSQL, "{{of a fund}}", history.OfAFund("f"), "{{filings}}", filingsSQL,
		"{{fund versions}}", "catalog.fund_versions", "{{adviser versions}}", "catalog.adviser_versions", "{{processed}}", "",
		"{{restated withdrawals}}", "", "{{offerings}}", "catalog.offerings f", "{{issuers}}", "catalog.offering_issuers i",
		"{{restated chains}}", "")
	knownThen = strings.NewReplacer("{{names}}", namesSQL, "{{of a fund}}", history.OfAFund("f"), "{{filings}}", knownFilingsSQL,
		"{{fund versions}}", knownFundsSQL, "{{adviser versions}}", knownAdvisersSQL, "{{processed}}", " AND f.processed_at <= @known",
		"{{restated withdrawals}}", restatedWithdrawalsSQL, "{{offerings}}", knownOfferingsSQL, "{{issuers}}", knownIssuersSQL,
		"{{restated chains}}", restatedChainsSQL+history.RelinkedSQL)
)

// statement writes a statement for the moment, with its arguments.
func (c *AsOf) statement(template string) (text string, args database.Args) {
	args = database.Args{"day": pgtype.Date{InfinityModifier: pgtype.Infinity, Valid: true}}
	if !c.Filed.IsZero() {
		args["day"] = pgtype.Date{Time: c.Filed, Valid: true}
	}
	if c.Known.IsZero() {
		return present.Replace(template), args
	}
	args["known"] = pgtype.Timestamptz{Time: c.Known.Truncate(time.Microsecond), Valid: true}
	return knownThen.Replace(template), args
}
