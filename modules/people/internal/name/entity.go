package name

import "strings"

// IsEntity reports whether a filed person's name is that of a firm or trust.
func IsEntity(filed string) bool {
	all := strings.Fields(Fold(filed))
	for i, word := range all {
		if forms[word] || firms[word] && (i > 0 || len(all) == 1) {
			return true
		}
	}
	return false
}

// forms are legal forms that also come first, where a firm is filed with its form as the first name.
var forms = map[string]bool{"LLC": true, "LLP": true, "INC": true, "LTD": true, "GMBH": true, "SARL": true, "PLC": true}

// firms are words that no person's name has.
var firms = map[string]bool{
	"LLC": true, "LLP": true, "LP": true, "INC": true, "INCORPORATED": true, "CORP": true, "CORPORATION": true, "LTD": true, "LIMITED": true, "TRUST": true,
	"FOUNDATION": true, "HOLDINGS": true, "HOLDING": true, "CAPITAL": true, "PARTNERS": true, "PARTNERSHIP": true, "ADVISORS": true, "ADVISERS": true, "MANAGEMENT": true,
	"GROUP": true, "FUND": true, "COMPANY": true, "GMBH": true, "SARL": true, "PTE": true, "PLC": true, "ESTATE": true, "ASSOCIATES": true, "VENTURES": true, "INVESTMENTS": true,
	"SECURITIES": true, "FAMILY": true, "ESOP": true,
}
