package vocab

import (
	"slices"
	"strings"
)

// The strategies that a fund, and by its funds an adviser, can have.
const (
	Buyout         = "buyout"
	Growth         = "growth"
	Venture        = "venture"
	RealEstate     = "real-estate"
	Infrastructure = "infrastructure"
	Credit         = "credit"
	Hedge          = "hedge"
	Secondaries    = "secondaries"
	FundOfFunds    = "fund-of-funds"
	Liquidity      = "liquidity"
	Securitized    = "securitized"
	Other          = "other"
)

// The manager types, each a group of strategies.
const (
	ManagerPEVC       = "pe_vc"
	ManagerHedge      = "hedge_fund"
	ManagerRealEstate = "real_estate"
	ManagerOther      = "other"
)

var strategies = []string{
	Buyout, Growth, Venture, RealEstate, Infrastructure, Credit,
	Hedge, Secondaries, FundOfFunds, Liquidity, Securitized, Other,
}

// aliases are keyed by lower case. "hedge" and "credit" are strategies as such and need no entry.
var aliases = map[string][]string{
	"pe":          {Buyout, Growth, Secondaries},
	"vc":          {Venture},
	"realestate":  {RealEstate},
	"real_estate": {RealEstate},
	"real estate": {RealEstate},
}

// Strategies lists every strategy in the order in which the documentation names them.
func Strategies() []string { return slices.Clone(strategies) }

// StrategyAliases lists the aliases that the contract names, as it spells them.
func StrategyAliases() []string { return []string{"PE", "VC", "Hedge", "RealEstate", "Credit"} }

// ExpandStrategy returns the strategies that a strategy or an alias, in any letter case, means; false if it is neither. PE means
// three, every other word one.
func ExpandStrategy(s string) ([]string, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if slices.Contains(strategies, s) {
		return []string{s}, true
	}
	found, ok := aliases[s]
	return slices.Clone(found), ok
}

// ManagerType groups a strategy; the empty strategy (unknown) has no manager type.
//
// Spec: not shown; buyout, growth, venture and secondaries are pe_vc, hedge is hedge_fund, real-estate is real_estate,
// and every other strategy is other.
func ManagerType(strategy string) string {
	switch strategy {
	case "":
		return ""
	case Buyout, Growth, Venture, Secondaries:
		return ManagerPEVC
	case Hedge:
		return ManagerHedge
	case RealEstate:
		return ManagerRealEstate
	default:
		return ManagerOther
	}
}
