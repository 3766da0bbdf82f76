package catalogapi

import "strings"

// GPPath is the path parameter of an adviser.
type GPPath struct {
	CRD string `path:"crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" example:"900001" doc:"The adviser's CRD number: 1 to 10 digits without leading zeros."`
}

// FundPath is the path parameter of a fund.
type FundPath struct {
	FundID string `path:"fund_id" pattern:"^(805-[0-9]{10}|[1-9][0-9]{0,18})$" patternDescription:"805- and ten digits, or the internal integer ID" example:"805-1234567890" doc:"ID of the fund: 805- and ten digits, or the internal integer ID from lists."`
}

// NoGP is the refusal of a CRD number that no adviser of the catalog has.
const NoGP = "GP with CRD %s not found"

// IsCRD reports whether s has the form of a CRD number: 1 to 10 digits without leading zeros.
func IsCRD(s string) bool { return IsNumber(s, 10) && s[0] != '0' }

// IsFundID reports whether s has the form of a Fund ID: 805- and ten digits.
func IsFundID(s string) bool {
	digits, ok := strings.CutPrefix(s, "805-")
	return ok && len(digits) == 10 && IsNumber(digits, 10)
}

// IsProviderID reports whether s has the form of an ID of a firm that serves funds: prv_ and 16 letters and digits.
func IsProviderID(s string) bool {
	name, ok := strings.CutPrefix(s, "prv_")
	return ok && len(name) == 16 && !strings.ContainsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '2' || r > '7') })
}

// IsNumber reports whether s is of at least one digit and at most most.
func IsNumber(s string, most int) bool {
	if s == "" || len(s) > most {
		return false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// LEIOf returns the Legal Entity Identifier that a text has the form of, in capitals: 20 letters and digits. It returns "" for others. The
// checksum is not tested: an identifier is shown and found as filed.
func LEIOf(s string) string {
	plain := func(r rune) bool { return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }
	if len(s) != 20 || strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return ""
	}
	return strings.ToUpper(s)
}
