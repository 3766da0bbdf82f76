package gate

import (
	"fmt"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// The limits of changed values. They assume that, from one filing to the next, names and titles change for a few of a hundred advisers, and few
// amounts by more than a factor of three; they were tried on invented archives alone, whose fields change by 8 percent at most. A column that was shifted, exchanged or written in another unit changes nearly all. Where many
// rows have the same value, such as a state or an answer Y, a shift changes a part of them only, so the limits are narrower there.
var (
	changedUsual = changedLimit{20, 2}
	changedNever = changedLimit{3, 20} // a notice of Form D that was loaded before stays as it is
	changedOther = map[string]changedLimit{
		"crd":           {5, 20}, // an SEC number belongs to one adviser
		"advises_funds": {20, 8}, // few advisers begin or end to advise funds

		// Few advisers move to another state or country, or change the law under which they are organized.
		"state": {20, 5}, "country": {20, 5}, "org_state": {20, 5}, "org_country": {20, 5},

		// What a fund is stays, except for corrections.
		"funds.state": {20, 8}, "funds.country": {20, 8}, "funds.fund_type": {20, 8}, "funds.is_3c1": {20, 8}, "funds.is_3c7": {20, 8},
		"funds.is_master": {20, 8}, "funds.is_feeder": {20, 8}, "funds.is_fund_of_funds": {20, 8}, "funds.annual_audit": {20, 8}, "funds.gaap": {20, 8},

		// Few funds change their auditor in a year, and more when a large firm takes another name. Custodians and prime brokers keep the usual
		// limit: when a bank fails, all of its funds must leave it.
		"funds.auditors": {20, 8}, "funds.form_d_file_numbers": {20, 4}, "fund_providers.administrator": {20, 4},

		// The past does not change, except for what is pending. Titles keep the usual limit: they are written in many ways.
		"owners.acquired": {20, 4}, "owners.ownership_code": {20, 4}, "owners.control_person": {20, 8}, "owners.schedule": {20, 8},
		"disclosures.filed_against": {20, 4}, "disclosures.initiated_by": {20, 4}, "disclosures.case_number": {20, 4}, "disclosures.product": {20, 4},
		"disclosures.allegations": {20, 4}, "disclosures.status": {20, 4}, "disclosures.resolution": {20, 4}, "disclosures.event_date": {20, 4},
		"disclosures.resolution_date": {20, 4}, "disclosures.felony": {20, 8}, "disclosures.items": {20, 4}, "disclosures.monetary_amount": {20, 4},

		// The SEC gives a file number to one offering, whose issuers stay, and an accession number to one notice.
		issuersRestated: {1, anyOf}, "notices.issuers": {5, 20}, "notices.file_number": {20, 4}, "notices.first_sale": {20, 4}, "notices.fund_type": {20, 8}, "notices.industry_group": {20, 8},
		"notices.previous_accession": {20, 4}, "notices.minimum_investment": {20, 4}, "issuers.name": {20, 4}, "issuers.state": {20, 5}, "issuers.jurisdiction": {20, 5},

		// A commitment stays, and the other figures of a fund change by 100 times at its beginning and end only.
		"commitments.committed": {20, 4}, "commitments.committed, of the same day": {20, 4}, "commitments.committed, 100 times": {3, 20}, "commitments.contributed, 100 times": {5, 10},
		"commitments.distributed, 100 times": {5, 10}, "commitments.nav, 100 times": {5, 10}, "commitments.net_irr_percent": {20, 4},
		"commitments.contributed, less than before": {10, 4}, "commitments.distributed, less than before": {10, 4},
		"commitments.multiple, of the other figures": {5, 4},

		// Few commitments pass from one LP to another, but LPs often commit the same amount to a fund.
		"commitments.lp, funds that other LPs had": {3, 50}, "commitments.lp, commitments of other LPs": {3, 2}, "commitments.lp, names of funds": {3, 2},
		"lps, with other funds than before": {1, 20}, "lps, with other commitments than before": {1, anyOf}, "lps.entity_type": {5, 4}, "lps.city": {5, 4}, "lps.country": {5, 4},
		"commitments.multiple": {20, 4},
	}
)

// anyOf is as many values as there can be: one changed value is too many.
const anyOf = 1 << 31

// changedLimit is how many values are changed at least, and that they are more than one in so many.
type changedLimit struct{ least, of int64 }

// Values looks for fields whose values have changed for most advisers or funds. They must have without the adviser that changed most, too: it
// may have many funds, and change the auditor of all.
func Values(changed []catalogapi.ChangedValues) []Finding {
	var fields []string
	reissued := false
	for _, c := range changed {
		limit, other := changedOther[c.Field]
		switch {
		case other:
		case strings.HasPrefix(c.Field, "restated notices."):
			limit = changedNever
		default:
			limit = changedUsual
		}
		if c.Changed >= limit.least && (c.Changed-c.Most)*limit.of > c.Compared-c.Most {
			of := ""
			if c.Exempt {
				of = " of exempt advisers"
			}
			reissued = reissued || c.Field == issuersRestated
			fields = append(fields, fmt.Sprintf("%s (%d of %d%s)", c.Field, c.Changed, c.Compared, of))
		}
	}
	if len(fields) == 0 {
		return nil
	}
	reason := "too many values differ from those of the filings before: " + strings.Join(fields, ", ")
	if reissued {
		reason += ". A notice keeps its accession number and its issuers, so this set or the one that was loaded before is wrong: accept this one if it is right"
	}
	return []Finding{{Check: ValuesChanged, Reason: reason}}
}

// Renamed stops a list that has the commitments of LPs under other names: both would be counted. names are those LPs, if there are any.
func Renamed(names string) []Finding {
	if names == "" {
		return nil
	}
	return []Finding{{Check: ValuesChanged, Reason: "most commitments of LPs that it lacks stand under another name or state: " + names + ". Accept it if the LPs have changed their names"}}
}

// RenamedFunds stops a list that has the commitments of LPs to funds under other names: both would be counted. names are those funds, if there are any.
func RenamedFunds(names string) []Finding {
	if names == "" {
		return nil
	}
	return []Finding{{Check: ValuesChanged, Reason: "funds that are new for an LP have the commitments of funds that it lacks: " + names + ". Accept it if these are other funds, or if the funds have changed their names"}}
}

// issuersRestated are the issuers of notices that were loaded before.
const issuersRestated = "restated notices.issuers"

// Misdated looks for filings that are dated outside the days that the document's name states.
func Misdated(outside, filings int64) []Finding {
	if outside < misdatedMin || outside*misdatedOf <= filings {
		return nil
	}
	return []Finding{{Check: ValuesChanged, Reason: fmt.Sprintf("%d of its %d filings are dated outside the days in its name or those of its tables", outside, filings)}}
}

const (
	misdatedMin = 5  // filings,
	misdatedOf  = 20 // and more than one in so many
)
