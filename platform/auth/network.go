package auth

import "net/netip"

// Network is the unit that callers without an account are counted by: an IP address, or its /64 for IPv6, because a customer has a network of
// addresses. Callers whose address is not known share one.
func Network(address netip.Addr) string {
	address = address.Unmap().WithZone("")
	switch {
	case !address.IsValid():
		return "unknown"
	case address.Is6():
		return netip.PrefixFrom(address, 64).Masked().String()
	}
	return address.String()
}
