package listing

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/httpapi"
)

// ServicesInput are the parameters of a search that speak of the firms that serve a fund.
//
// Spec: not shown; providers are asked for by ID alone, because a search by words would confirm the names of persons that are withheld.
type ServicesInput struct {
	Provider         httpapi.Opt[string] `query:"provider" example:"prv_ecjirbiebqv5m6pj" doc:"IDs of firms that serve the fund (prv_…), from GET /v1/providers/suggest. Separate several with commas; a match of any of them is enough. Names are refused. An ID that is unknown, or whose firm is withheld because it is or may be a person, matches nothing."`
	ProviderRole     httpapi.Opt[string] `query:"provider_role" example:"administrator" doc:"What the firm does for the fund: auditor, prime_broker, custodian, administrator or marketer. With provider, the same firm must match both; without it, any firm or person in the role is enough. Separate several with commas; a match of any of them is enough."`
	HasPrimeBroker   httpapi.Opt[bool]   `query:"has_prime_broker" example:"true" doc:"True: the fund's filing names a prime broker. False: the filing has the table of prime brokers, and none for the fund. Funds without that table match neither."`
	HasCustodian     httpapi.Opt[bool]   `query:"has_custodian" example:"true" doc:"True: the fund's filing names a custodian. False: the filing has the table of custodians, and none for the fund. Funds without that table match neither."`
	HasAdministrator httpapi.Opt[bool]   `query:"has_administrator" example:"true" doc:"True: the fund's filing names an administrator. False: the filing has the table of administrators, and none for the fund. Funds without that table match neither."`
	HasMarketer      httpapi.Opt[bool]   `query:"has_marketer" example:"true" doc:"True: the fund's filing names a marketer (placement agent). False: the filing has the table of marketers, and none for the fund. Funds without that table match neither."`
}

// Services takes what is asked of the firms that serve a fund.
func (c *Check) Services(in *ServicesInput) (m index.ServiceMatch) {
	m.Providers = c.list("provider", in.Provider, comma, MaxValues, func(part string) (string, string) {
		if part = strings.TrimSpace(part); catalogapi.IsProviderID(part) {
			return part, ""
		}
		return "", quoted(part) + " is not an ID of a provider: prv_ and 16 letters and digits. Names are not accepted; GET /v1/providers/suggest finds the ID of a name"
	})
	m.Roles = c.Choices(index.Roles...)("provider_role", in.ProviderRole)
	for role, answer := range map[string]httpapi.Opt[bool]{
		string(catalogapi.RolePrimeBroker): in.HasPrimeBroker, string(catalogapi.RoleCustodian): in.HasCustodian,
		string(catalogapi.RoleAdministrator): in.HasAdministrator, string(catalogapi.RoleMarketer): in.HasMarketer,
	} {
		m.Has[slices.Index(index.Roles, role)] = c.Tri("has_"+role, answer)
	}
	return m
}
