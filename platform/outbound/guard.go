package outbound

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// errForbidden is the refusal of a connection. It is not shown with an address: the reply would tell what our network looks like.
var errForbidden = errors.New("the address is not allowed")

// forbidden are networks that are global unicast by their form, but lead nowhere or somewhere else.
var forbidden = prefixes(
	"0.0.0.0/8",       // this network
	"100.64.0.0/10",   // carriers' own networks
	"192.0.0.0/24",    // protocol assignments
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // relays of 6to4
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"240.0.0.0/4",     // reserved, and broadcast
	"2001::/23",       // protocol assignments, Teredo among them
	"2001:db8::/32",   // documentation
	"2002::/16",       // 6to4: contains any IPv4 address
	"3fff::/20",       // documentation
)

// nat64 contains IPv4 addresses in its last 32 bits, which are checked themselves.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, p := range list {
		out[i] = netip.MustParsePrefix(p)
	}
	return out
}

// public reports whether an address is outside of private and special networks.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if a.Is6() && nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" {
		return false
	}
	if a.Is6() && binary.BigEndian.Uint16(a.AsSlice())>>13 != 1 { // only 2000::/3 is given out
		return false
	}
	return !slices.ContainsFunc(forbidden, func(p netip.Prefix) bool { return p.Contains(a) })
}

// permit refuses a connection to an address, host and port as the dialer has resolved them.
func (c *Client) permit(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return errForbidden
	}
	a := to.Addr().Unmap()
	if c.cfg.AllowHTTP && a.IsLoopback() {
		return nil
	}
	if !c.portAllowed(to.Port()) || !public(a) {
		return errForbidden
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return errForbidden
	}
	for _, i := range own {
		if p, err := netip.ParsePrefix(i.String()); err == nil && p.Addr().Unmap() == a {
			return errForbidden
		}
	}
	return nil
}

func (c *Client) portAllowed(port uint16) bool {
	return port == 443 || port == 8443 || port > 1024 || c.cfg.AllowHTTP
}

const urlMax = 2000

// hostForm is a name with a dot. Its last part begins with a letter, so it is no IP address in any notation.
var hostForm = regexp.MustCompile(`^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)

// Check returns why a URL is refused, as the message for its field, or "". It does not resolve the name: what the name leads to is
// checked at each connection.
func (c *Client) Check(address string) string {
	u, err := url.Parse(address)
	switch {
	case len(address) > urlMax:
		return "must have at most 2,000 characters"
	case strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }):
		return "must have only visible ASCII characters; write others in percent-encoding, and international host names with xn--"
	case err != nil || u.Opaque != "" || u.Host == "":
		return "must be a URL such as https://example.com/webhooks"
	case u.User != nil:
		return "must not have a user name or a password; send credentials in headers"
	case strings.Contains(address, "#"):
		return "must not have a fragment (#)"
	case u.Scheme != "https" && (u.Scheme != "http" || !c.cfg.AllowHTTP):
		return "must begin with https://"
	}
	host := strings.ToLower(u.Hostname())
	local := c.cfg.AllowHTTP && isLoopback(host)
	if !local && (!hostForm.MatchString(host) || strings.HasSuffix(host, ".localhost") || len(host) > 253) {
		return "must name a public host such as example.com, not an IP address"
	}
	if text := u.Port(); text != "" || strings.HasSuffix(u.Host, ":") {
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil || !c.portAllowed(uint16(port)) || port == 0 {
			return "must have port 443, 8443 or one above 1024"
		}
	}
	return ""
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}
