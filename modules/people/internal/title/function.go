package title

import (
	"slices"
	"strings"
)

// Functions lists every function that a title can state, in the order in which a person's functions are shown.
func Functions() []string {
	return []string{
		"founder", "chair", "ceo", "president", "cio", "cfo", "coo", "cco", "cro", "cto", "gc", "ir", "managing_partner", "partner",
		"managing_member", "portfolio_manager", "head", "secretary", "treasurer", "director", "limited_partner",
	}
}

// ReadFunctions returns the functions that the titles of a line state at the firm itself, in the order of Functions. Deputies and
// assistants, former holders, and officers of another entity have none.
func ReadFunctions(filed string) []string {
	found := map[string]bool{}
	for _, part := range officers(parts(filed)) {
		if part = atFirm(part); part == "" || hasAny(part, notHolding) {
			continue
		}
		for _, f := range functionRules {
			if !hasAny(part, f.not) && (slices.Contains(f.alone, part) || hasAny(part, f.words)) {
				found[f.function] = true
			}
		}
	}
	var list []string
	for _, f := range Functions() {
		if found[f] {
			list = append(list, f)
		}
	}
	return list
}

// officers completes titles that share the word CHIEF: of "CHIEF FINANCIAL AND COMPLIANCE OFFICER", the second part lacks it.
func officers(list []string) []string {
	for i := 1; i < len(list); i++ {
		if strings.HasPrefix(list[i-1], " CHIEF ") && !strings.Contains(list[i-1], " OFFICER ") && strings.HasSuffix(list[i], " OFFICER ") &&
			!strings.Contains(list[i], " CHIEF ") {
			list[i] = " CHIEF" + list[i]
		}
	}
	return list
}

// atFirm returns a title without the place after it: "DIRECTOR OF THE COMPANY" is a director. The title is empty if the place is
// another entity, as in "PRESIDENT OF THE GENERAL PARTNER", or a department, whose director sits on no board.
func atFirm(part string) string {
	if strings.Contains(part, " BOARD ") && (strings.Contains(part, " MEMBER ") || strings.Contains(part, " DIRECTORS ")) && !strings.Contains(part, " ADVISORY ") {
		if strings.Contains(part, " CHAIR") {
			return " CHAIRMAN "
		}
		return " DIRECTOR "
	}
	at := -1
	for _, word := range []string{" OF ", " FOR ", " TO ", " AT "} {
		if i := strings.Index(part, word); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 {
		return part
	}
	title, place := part[:at+1], part[at:]
	switch {
	case strings.HasSuffix(title, " HEAD "):
		return part
	case hasAny(place, otherEntities):
		return ""
	case hasAny(place, ownPlaces):
		return title
	case strings.HasSuffix(title, " DIRECTOR ") || strings.HasSuffix(title, " CHAIRMAN "):
		return place // of a department or committee; its name may still state a function, such as investor relations
	default:
		return part
	}
}

func hasAny(part string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(part, w) })
}
