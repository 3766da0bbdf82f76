package deletion

import (
	"net/netip"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/user"
)

// uses are the subjects of a sign-in's counts: whoever guesses passwords here has no more guesses there.
func uses(address string, from session.Client) []throttle.Use {
	list := []throttle.Use{{Rule: throttle.LoginEmail, Subject: user.Key(address)}}
	if from.Address.IsValid() {
		list = append(list, throttle.Use{Rule: throttle.LoginIP, Subject: network(from.Address)})
	}
	return list
}

// network is the place that failures are counted for, as for sign-ins: an address, of IPv6 its /64.
func network(address netip.Addr) string {
	if address.Is6() && !address.Is4In6() {
		if prefix, err := address.WithZone("").Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return address.Unmap().String()
}
