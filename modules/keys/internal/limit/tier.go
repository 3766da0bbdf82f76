package limit

import (
	"cmp"
	"strconv"

	"gpatlas/platform/auth"
)

// rule is how many requests one kind of caller may send in each window; a day of 0 has no limit.
type rule struct{ burst, minute, day int64 }

// The windows are fixed: they begin at multiples of their length since 1970, the day therefore at midnight UTC.
const (
	burstSeconds  = 5
	minuteSeconds = 60
	daySeconds    = 24 * 60 * 60
)

// Spec: the contract states the requests per day; those per five seconds and per minute are not shown.
var (
	starter = rule{burst: 10, minute: 60, day: 100}
	growth  = rule{burst: 100, minute: 1_000, day: 10_000}
	scale   = rule{burst: 500, minute: 10_000}
	session = rule{burst: 100, minute: 600, day: 10_000}
	// page is for each caller's pages, documents and operations that are always open. A visit of the documentation is four
	// requests, and an office shares one address. A daily limit would keep people from signing in again.
	page       = rule{burst: 60, minute: 300}
	signedPage = rule{burst: 300, minute: 1_500} // each request is of one account
)

// pageRuleOf is the rule for a caller's pages.
func pageRuleOf(caller *auth.Principal) rule {
	if caller.Kind == auth.Session {
		return signedPage
	}
	return page
}

// ruleOf is the rule for a caller. An unknown tier is treated like the lowest.
func ruleOf(caller *auth.Principal) rule {
	if caller.Kind == auth.Session {
		return session
	}
	if caller.Kind == auth.Key {
		switch caller.APITier {
		case auth.TierGrowth:
			return growth
		case auth.TierScale:
			return scale
		}
	}
	return starter
}

// Tier is the limits of keys of one tier, for the page.
type Tier struct {
	Name               string
	Burst, Minute, Day int64 // in 5 seconds, a minute and a day; 0 = without limit
}

// Tiers are the tiers of keys, the lowest first.
func Tiers() (list []Tier) {
	for _, name := range auth.Tiers {
		r := ruleOf(&auth.Principal{Kind: auth.Key, APITier: name})
		list = append(list, Tier{name, r.burst, r.minute, r.day})
	}
	return list
}

// subject is what a caller's requests are counted by: the key, the account of a session, or the IP address of an anonymous
// caller. For IPv6 it is the /64, because a subscriber has all of its addresses.
//
// Spec: limits are enforced per API key. Test keys of an account share one count: flat-fee responses to them are real data, and
// a new key would otherwise start at 0. So would a live key, which therefore continues the windows of a revoked one.
func subject(caller *auth.Principal) string { return subjectIn(keySpace, caller) }

// pageSubject is the subject for pages, which have counts of their own.
func pageSubject(caller *auth.Principal) string { return subjectIn(pageSpace, caller) }

func subjectIn(space string, caller *auth.Principal) string {
	switch {
	case caller.Kind == auth.Key && caller.Mode == auth.ModeTest:
		return space + "t:" + strconv.FormatInt(caller.UserID, 10)
	case caller.Kind == auth.Key:
		return space + "k:" + cmp.Or(caller.CountedAs, caller.KeyID)
	case caller.Kind == auth.Session:
		return space + "u:" + strconv.FormatInt(caller.UserID, 10)
	default:
		return space + "a:" + auth.Network(caller.Address)
	}
}

// The names of all counts in Redis begin with keySpace, those of pages with pageSpace.
const (
	keySpace  = "gpa:limit:"
	pageSpace = keySpace + "p:"
)
