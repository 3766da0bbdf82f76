package title

// functionRule maps titles with some words to a function.
type functionRule struct {
	function string
	words    []string // between spaces; one of them is enough
	alone    []string // whole titles
	not      []string // words with which a title does not state the function
}

// functionRules are independent of one another: a title can state several functions.
var functionRules = []functionRule{
	{function: "founder", words: []string{" FOUNDER ", " COFOUNDER ", " FOUNDING "}},
	{function: "chair", words: []string{" CHAIRMAN ", " CHAIRWOMAN ", " COCHAIRMAN "}, not: []string{" COMMITTEE ", " VICE "}},
	{function: "ceo", words: []string{" CHIEF EXECUTIVE "}},
	{function: "president", words: []string{" PRESIDENT "}, not: []string{" VICE "}},
	{function: "cio", words: []string{" CHIEF INVESTMENT "}},
	{function: "cfo", words: []string{" CHIEF FINANCIAL ", " CHIEF FINANCE "}},
	{function: "coo", words: []string{" CHIEF OPERATING ", " CHIEF OPERATIONS "}},
	{function: "cco", words: []string{" CHIEF COMPLIANCE "}},
	{function: "cro", words: []string{" CHIEF RISK "}},
	{function: "cto", words: []string{" CHIEF TECHNOLOGY "}},
	{function: "gc", words: []string{" GENERAL COUNSEL ", " CHIEF LEGAL "}, not: []string{" ASSOCIATE "}},
	{function: "ir", words: []string{" INVESTOR RELATIONS "}},
	{function: "managing_partner", words: []string{" MANAGING PARTNER ", " MANAGING PARTNERS ", " MANAGING GENERAL PARTNER "}},
	{function: "partner", words: []string{" PARTNER ", " MANAGING PARTNERS "}, not: []string{" LIMITED PARTNER ", " SILENT PARTNER "}},
	{function: "managing_member", words: []string{" MANAGING MEMBER ", " MEMBER MANAGER ", " MANAGER MEMBER "}},
	{function: "portfolio_manager", words: []string{" PORTFOLIO MANAGER "}, not: []string{" ASSOCIATE "}},
	{function: "head", words: []string{" HEAD "}, not: []string{" HEAD TRADER ", " HEAD OFFICE "}},
	{function: "secretary", words: []string{" SECRETARY "}},
	{function: "treasurer", words: []string{" TREASURER "}},
	// Members of the board. A managing or an executive director is a rank, and a finance director leads a department.
	{
		function: "director", words: []string{" NON EXECUTIVE DIRECTOR ", " INDEPENDENT DIRECTOR ", " BOARD DIRECTOR ", " BOARD MEMBER "}, not: []string{" ADVISORY "},
		alone: []string{
			" DIRECTOR ", " CO DIRECTOR ", " SOLE DIRECTOR ", " REPRESENTATIVE DIRECTOR ", " OUTSIDE DIRECTOR ", " LEAD DIRECTOR ", " STATUTORY DIRECTOR ",
			" CORPORATE DIRECTOR ",
		},
	},
	{function: "limited_partner", words: []string{" LIMITED PARTNER "}, not: []string{" MANAGER ", " PARTNERS ", " CAPITAL ", " FUND "}},
}

// notHolding are words of titles whose holders substitute for someone, serve or advise someone, or no longer have the function.
var notHolding = []string{
	" FORMER ", " FORMERLY ", " RETIRED ", " EMERITUS ", " EX ", " PAST ", " DEPUTY ", " ASSISTANT ", " SUB ", " ACTING ASSISTANT ",
	" CHIEF OF STAFF ", " ADVISER TO ", " ADVISOR TO ", " COUNSEL TO ", " SECRETARY TO ", " DELEGATE ", " DESIGNEE ", " ALTERNATE ",
}

// otherEntities are words after OF that mean an entity other than the firm.
var otherEntities = []string{
	" GENERAL PARTNER ", " PARENT ", " MANAGING MEMBER ", " SOLE MEMBER ", " MEMBER ", " OWNER ", " SUBSIDIARY ", " SUBSIDIARIES ", " AFFILIATE ",
	" AFFILIATES ", " TRUST ", " TRUSTEE ", " SHAREHOLDER ", " LLC ", " INC ", " CORP ", " CORPORATION ", " LTD ", " LIMITED ", " HOLDINGS ",
	" HOLDING ", " HOLDCO ", " FUND ", " FUNDS ", " PARTNERS ", " BANK ", " MANAGER ", " MANAGEMENT COMPANY ", " INDIRECT ",
}

// ownPlaces are words after OF that mean the firm itself.
var ownPlaces = []string{" FIRM ", " COMPANY ", " ADVISER ", " ADVISOR ", " APPLICANT ", " REGISTRANT ", " BOARD "}
