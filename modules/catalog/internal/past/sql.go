package past

import (
	_ "embed"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/history"
	"gpatlas/platform/database"
)

// The statements. {{…}} is replaced according to the AsOf: by the tables, or by their rows as of an instant.
// @day is the day up to which filings count, @known the instant up to which they were processed.
var (
	//go:embed notices.sql
	noticesSQL string
	//go:embed issuers.sql
	issuersSQL string

	// unlistedSQL finds the advisers that were no longer in any list.
	unlistedSQL = history.UnlistedSQL("", "{{processed}}")
)

// The replacements of {{…}}.
var (
	//go:embed known_offerings.sql
	knownOfferingsSQL string
	//go:embed known_issuers.sql
	knownIssuersSQL string
	// restatedChainsSQL finds what may have been joined otherwise.
	//go:embed restated_chains.sql
	restatedChainsSQL string
	// namesSQL reads the keys of the names that any fund has or had.
	//go:embed names.sql
	namesSQL string

	present = strings.NewReplacer("{{names}}", namesSQL, "{{of a fund}}", history.OfAFund("f"), "{{processed}}", "",
		"{{offerings}}", "catalog.offerings f", "{{issuers}}", "catalog.offering_issuers i", "{{restated chains}}", "")
	knownThen = strings.NewReplacer("{{names}}", namesSQL, "{{of a fund}}", history.OfAFund("f"), "{{processed}}", " AND f.processed_at <= @known",
		"{{offerings}}", knownOfferingsSQL, "{{issuers}}", knownIssuersSQL, "{{restated chains}}", restatedChainsSQL+history.RelinkedSQL)
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
