package title

import "strings"

// source is where a rule's words come from.
type source string

const (
	// The instructions of Form ADV's Schedule A name these: chief executive, financial, operations, legal and compliance
	// officers, directors, general partners, elected managers, and persons with like functions.
	ofForm source = "Form ADV, Schedule A, item 2 and its instructions"
	// Titles that are frequent in the SEC's roster of exempt reporting advisers of July 2024 (chief compliance officers).
	ofRoster source = "SEC roster of exempt reporting advisers, July 2024"
	// The ladder of titles that private fund managers use.
	ofLadder source = "titles of private fund managers"
	// Registrations with FINRA or a state, which do not imply a rank.
	ofRegistration source = "FINRA registration categories (Rules 1210, 1220)"
)

// rule maps titles that have its words to a role.
type rule struct {
	words  string // between spaces
	role   Role
	source source
	last   bool // the title must end with them
	alone  bool // the title must have no others
}

// in reports whether a title has the rule's words.
func (r rule) in(part string) bool {
	switch {
	case r.alone:
		return part == r.words
	case r.last:
		return strings.HasSuffix(part, r.words)
	default:
		return strings.Contains(part, r.words)
	}
}

// rules are tried in order; the first whose words a title has counts.
var rules = []rule{
	// People who no longer have the title's role, substitute for its holder, or serve the holder.
	{words: " FORMER ", role: Other, source: ofRoster},
	{words: " RETIRED ", role: Other, source: ofRoster},
	{words: " EMERITUS ", role: Other, source: ofRoster},
	{words: " CHIEF OF STAFF ", role: Other, source: ofRoster},
	{words: " ASSISTANT VICE PRESIDENT ", role: Associate, source: ofLadder},
	{words: " ASSOCIATE VICE PRESIDENT ", role: Associate, source: ofLadder},
	{words: " DEPUTY ", role: Other, source: ofRoster},
	{words: " ASSISTANT ", role: Other, source: ofRoster},
	{words: " ASSOCIATE GENERAL COUNSEL ", role: Other, source: ofRoster},

	// Registrations never raise a role.
	{words: " DESIGNATED PRINCIPAL ", role: Other, source: ofRegistration},
	{words: " REGISTERED PRINCIPAL ", role: Other, source: ofRegistration},
	{words: " REGISTERED REPRESENTATIVE ", role: Other, source: ofRegistration},

	// Owners who do not work at the firm.
	{words: " LIMITED PARTNER ", role: Other, source: ofForm},
	{words: " SILENT PARTNER ", role: Other, source: ofLadder},

	{words: " FOUNDER ", role: Partner, source: ofRoster},
	{words: " FOUNDING ", role: Partner, source: ofRoster},
	{words: " COFOUNDER ", role: Partner, source: ofRoster},
	{words: " PARTNER ", role: Partner, source: ofForm},
	{words: " MANAGING MEMBER ", role: Partner, source: ofForm},
	{words: " CHIEF EXECUTIVE ", role: Partner, source: ofForm},
	{words: " VICE PRESIDENT ", role: VP, source: ofRoster}, // before the president in it
	{words: " PRESIDENT ", role: Partner, source: ofRoster},

	{words: " NON EXECUTIVE DIRECTOR ", role: VP, source: ofForm}, // before the executive director in it
	{words: " MANAGING DIRECTOR ", role: MD, source: ofLadder},
	{words: " EXECUTIVE DIRECTOR ", role: MD, source: ofLadder},
	{words: " MANAGING PRINCIPAL ", role: MD, source: ofLadder, last: true},
	{words: " CHIEF ", role: MD, source: ofForm},
	{words: " GENERAL COUNSEL ", role: MD, source: ofForm},
	{words: " HEAD OF ", role: MD, source: ofLadder},
	{words: " GLOBAL HEAD ", role: MD, source: ofLadder},
	{words: " CO HEAD ", role: MD, source: ofLadder},

	{words: " ASSOCIATE ", role: Associate, source: ofLadder}, // before the director whose associate it may be
	{words: " ANALYST ", role: Associate, source: ofLadder},
	{words: " DIRECTOR ", role: VP, source: ofForm},

	// A principal of the firm has the word alone, or one of these before it. Any other, such as "OPERATIONS PRINCIPAL" and
	// "PRINCIPAL FINANCIAL OFFICER", is a registration or a function.
	{words: " SENIOR PRINCIPAL ", role: VP, source: ofLadder, last: true},
	{words: " INVESTMENT PRINCIPAL ", role: VP, source: ofLadder, last: true},
	{words: " EXECUTIVE PRINCIPAL ", role: VP, source: ofLadder, last: true},
	{words: " PRINCIPAL OWNER ", role: VP, source: ofLadder, last: true},
	{words: " PRINCIPAL ", role: VP, source: ofLadder, alone: true},
}

// abbreviations are words that stand for others.
var abbreviations = map[string]string{
	"CEO": "CHIEF EXECUTIVE OFFICER", "CFO": "CHIEF FINANCIAL OFFICER", "COO": "CHIEF OPERATING OFFICER",
	"CCO": "CHIEF COMPLIANCE OFFICER", "CIO": "CHIEF INVESTMENT OFFICER", "CLO": "CHIEF LEGAL OFFICER",
	"CTO": "CHIEF TECHNOLOGY OFFICER", "CRO": "CHIEF RISK OFFICER", "CAO": "CHIEF ADMINISTRATIVE OFFICER",
	"MD": "MANAGING DIRECTOR", "SMD": "SENIOR MANAGING DIRECTOR", "GP": "GENERAL PARTNER", "LP": "LIMITED PARTNER", "GC": "GENERAL COUNSEL",
	"VP": "VICE PRESIDENT", "SVP": "SENIOR VICE PRESIDENT", "EVP": "EXECUTIVE VICE PRESIDENT", "AVP": "ASSISTANT VICE PRESIDENT",
	"PRES": "PRESIDENT", "DIR": "DIRECTOR", "EXEC": "EXECUTIVE", "MGR": "MANAGER", "MGING": "MANAGING", "MNG": "MANAGING", "MGMT": "MANAGEMENT",
	"SR": "SENIOR", "SNR": "SENIOR", "ASST": "ASSISTANT", "ASSOC": "ASSOCIATE", "CHAIR": "CHAIRMAN", "CHAIRPERSON": "CHAIRMAN",
	"VICEPRESIDENT": "VICE PRESIDENT",
}
