package hiring

import (
	"strings"

	"gpatlas/modules/people/internal/title"
)

// phrase maps words in a title or department to a meaning.
type phrase struct {
	words string // between spaces; a comma stands for any mark, and for the ends
	means string // empty: none of the contract's words
	skip  bool   // the words have no meaning; the rest of the text decides
}

// roles: the phrase that comes first in a title decides, and the longer of two at the same place. Later words mostly name the
// team: "Analyst, Office of the President".
//
// Spec: not shown; a title that names none of the five roles (an engineer, an executive assistant) has the role null.
var roles = []phrase{
	{words: " PARTNER ", means: "partner"},
	{words: " ASSOCIATE PARTNER ", means: "partner"},
	{words: " FOUNDER ", means: "partner"},
	{words: " MANAGING MEMBER ", means: "partner"},
	{words: " CHIEF EXECUTIVE ", means: "partner"},
	{words: " CEO ", means: "partner"},
	{words: " PRESIDENT ", means: "partner"},
	{words: " BUSINESS PARTNER ", skip: true},
	{words: " LIMITED PARTNER ", skip: true},
	{words: " PEOPLE PARTNER ", skip: true},
	{words: " CHANNEL PARTNER ", skip: true},
	{words: " PARTNER RELATIONS ", skip: true},
	{words: " PARTNER RELATIONSHIPS ", skip: true},
	{words: " PARTNER SOLUTIONS ", skip: true},
	{words: " PARTNER SUCCESS ", skip: true},
	{words: " PARTNER MARKETING ", skip: true},
	{words: " PARTNER SUPPORT ", skip: true},

	{words: " MANAGING DIRECTOR ", means: "md"},
	{words: " EXECUTIVE DIRECTOR ", means: "md"},
	{words: " MD ", means: "md"},
	{words: " CHIEF ", means: "md"},
	{words: " CFO ", means: "md"},
	{words: " COO ", means: "md"},
	{words: " CIO ", means: "md"},
	{words: " CTO ", means: "md"},
	{words: " CCO ", means: "md"},
	{words: " GENERAL COUNSEL ", means: "md"},
	{words: " HEAD OF ", means: "md"},
	{words: " HEAD , ", means: "md"},
	{words: " GLOBAL HEAD ", means: "md"},
	{words: " CO HEAD ", means: "md"},
	{words: " CHIEF OF STAFF "},
	{words: " ASSISTANT "},
	{words: " DEPUTY "},
	{words: " ASSOCIATE GENERAL COUNSEL "},

	{words: " VICE PRESIDENT ", means: "vp"},
	{words: " VP ", means: "vp"},
	{words: " SVP ", means: "vp"},
	{words: " EVP ", means: "vp"},
	{words: " DIRECTOR ", means: "vp"},
	{words: " PRINCIPAL , ", means: "vp"}, // not a principal engineer

	{words: " ASSOCIATE ", means: "associate"}, // an associate director, too
	{words: " ASSISTANT VICE PRESIDENT ", means: "associate"},
	{words: " AVP ", means: "associate"},

	{words: " ANALYST ", means: "analyst"},
}

// departments are tried in order; the first phrase that a text has decides. Special phrases come before general ones:
// "investment operations" is operations.
//
// Spec: not shown; compliance counts as legal, tax and valuation as finance, clients and fundraising as ir, and support
// functions (technology, people, administration) as operations. Anything else is null.
var departments = []phrase{
	{words: " LEGAL ", means: "legal"},
	{words: " COUNSEL ", means: "legal"},
	{words: " COMPLIANCE ", means: "legal"},
	{words: " REGULATORY ", means: "legal"},
	{words: " ATTORNEY ", means: "legal"},
	{words: " PARALEGAL ", means: "legal"},

	{words: " INVESTOR ", means: "ir"},
	{words: " IR ", means: "ir"},
	{words: " FUNDRAISING ", means: "ir"},
	{words: " FUND RAISING ", means: "ir"},
	{words: " CAPITAL FORMATION ", means: "ir"},
	{words: " CAPITAL RAISING ", means: "ir"},
	{words: " LP RELATIONS ", means: "ir"},
	{words: " LIMITED PARTNER ", means: "ir"},
	{words: " CLIENT ", means: "ir"},
	{words: " CLIENTS ", means: "ir"},
	{words: " DISTRIBUTION ", means: "ir"},
	{words: " WEALTH ", means: "ir"},

	{words: " LEVERAGED FINANCE ", means: "investment"},
	{words: " STRUCTURED FINANCE ", means: "investment"},
	{words: " PROJECT FINANCE ", means: "investment"},
	{words: " SPECIALTY FINANCE ", means: "investment"},
	{words: " ASSET BASED FINANCE ", means: "investment"},

	{words: " FINANCE ", means: "finance"},
	{words: " FINANCIAL ", means: "finance"},
	{words: " ACCOUNTING ", means: "finance"},
	{words: " ACCOUNTANT ", means: "finance"},
	{words: " TAX ", means: "finance"},
	{words: " CONTROLLER ", means: "finance"},
	{words: " TREASURY ", means: "finance"},
	{words: " AUDIT ", means: "finance"},
	{words: " VALUATION ", means: "finance"},
	{words: " VALUATIONS ", means: "finance"},
	{words: " CFO ", means: "finance"},

	{words: " OPERATIONS ", means: "operations"},
	{words: " OPERATIONAL ", means: "operations"},
	{words: " COO ", means: "operations"},
	{words: " MIDDLE OFFICE ", means: "operations"},
	{words: " BACK OFFICE ", means: "operations"},
	{words: " FUND ADMINISTRATION ", means: "operations"},
	{words: " TECHNOLOGY ", means: "operations"},
	{words: " ENGINEERING ", means: "operations"},
	{words: " ENGINEER ", means: "operations"},
	{words: " SOFTWARE ", means: "operations"},
	{words: " IT ", means: "operations"},
	{words: " INFORMATION ", means: "operations"},
	{words: " HUMAN RESOURCES ", means: "operations"},
	{words: " HUMAN CAPITAL ", means: "operations"},
	{words: " HR ", means: "operations"},
	{words: " PEOPLE ", means: "operations"},
	{words: " TALENT ", means: "operations"},
	{words: " RECRUITING ", means: "operations"},
	{words: " ADMINISTRATION ", means: "operations"},
	{words: " ADMINISTRATIVE ", means: "operations"},
	{words: " EXECUTIVE ASSISTANT ", means: "operations"},
	{words: " OFFICE MANAGER ", means: "operations"},
	{words: " FACILITIES ", means: "operations"},

	{words: " INVESTMENT ", means: "investment"},
	{words: " INVESTMENTS ", means: "investment"},
	{words: " INVESTING ", means: "investment"},
	{words: " PRIVATE EQUITY ", means: "investment"},
	{words: " GROWTH EQUITY ", means: "investment"},
	{words: " EQUITY ", means: "investment"},
	{words: " VENTURE ", means: "investment"},
	{words: " CREDIT ", means: "investment"},
	{words: " LENDING ", means: "investment"},
	{words: " BUYOUT ", means: "investment"},
	{words: " REAL ESTATE ", means: "investment"},
	{words: " REAL ASSETS ", means: "investment"},
	{words: " INFRASTRUCTURE ", means: "investment"},
	{words: " SECONDARIES ", means: "investment"},
	{words: " FUND OF FUNDS ", means: "investment"},
	{words: " PORTFOLIO ", means: "investment"},
	{words: " ACQUISITIONS ", means: "investment"},
	{words: " ASSET MANAGEMENT ", means: "investment"},
	{words: " CAPITAL MARKETS ", means: "investment"},
	{words: " ORIGINATION ", means: "investment"},
	{words: " UNDERWRITING ", means: "investment"},
	{words: " DEAL ", means: "investment"},
	{words: " RESEARCH ", means: "investment"},
	{words: " QUANTITATIVE ", means: "investment"},
	{words: " TRADING ", means: "investment"},
	{words: " TRADER ", means: "investment"},
}

// roleOf is the contract's word for the role that a posting's title names; empty if none.
func roleOf(title string) string {
	t := spaced(title)
	for {
		best, at := phrase{}, -1
		for _, p := range roles {
			if i := strings.Index(t, p.words); i >= 0 && (at < 0 || i < at || i == at && len(p.words) > len(best.words)) {
				best, at = p, i
			}
		}
		if at < 0 || !best.skip {
			return best.means
		}
		t = t[:at] + " , " + t[at+len(best.words):]
	}
}

// departmentOf is the contract's word for a posting's department: by the board's own department, else by the title.
func departmentOf(named, title string) string {
	for _, s := range []string{named, title} {
		t := spaced(s)
		for _, p := range departments {
			if strings.Contains(t, p.words) {
				return p.means
			}
		}
	}
	return ""
}

// spaced is s as words in upper case between single spaces, with a comma for any punctuation mark and at both ends: " , VP , IR
// , ". Hyphens within words are spaces, "V.P." is one word.
func spaced(s string) string {
	for _, dash := range []string{" - ", " – ", " — "} {
		s = strings.ReplaceAll(s, dash, " , ")
	}
	return " " + strings.Join(strings.Fields(" , "+title.Spaced(strings.ReplaceAll(s, "\n", " "))+" , "), " ") + " "
}
