package web

import (
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// peers tells who a request really comes from.
type peers struct{ trusted []netip.Prefix }

func (p peers) trusts(address netip.Addr) bool {
	for _, prefix := range p.trusted {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

// connected is the other end of the connection; the zero Addr where it is no IP address (a unix socket).
func connected(c *fiber.Ctx) netip.Addr {
	address, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	return address.Unmap()
}

// client is the caller's address: the other end of the connection or, when that is a trusted proxy, the last address
// in X-Forwarded-For that is not one. What an untrusted peer says of itself is ignored.
func (p peers) client(c *fiber.Ctx) netip.Addr {
	address := connected(c)
	if len(p.trusted) == 0 || !p.trusts(address) {
		return address
	}
	rest := c.Get(fiber.HeaderXForwardedFor)
	for rest != "" {
		last := rest
		if i := strings.LastIndexByte(rest, ','); i >= 0 {
			rest, last = rest[:i], rest[i+1:]
		} else {
			rest = ""
		}
		hop, err := netip.ParseAddr(strings.TrimSpace(last))
		if err != nil {
			break // not an address: what stands before it cannot be believed
		}
		address = hop.Unmap()
		if !p.trusts(address) {
			break
		}
	}
	return address
}

// local says whether the request was made on this machine and for this machine: a loopback connection, not one that a
// proxy on this machine passes on, and addressed to it by number or as localhost (so that no name that an attacker
// points at 127.0.0.1 makes a browser here read it).
func (p peers) local(c *fiber.Ctx) bool {
	if !p.client(c).IsLoopback() {
		return false
	}
	if p.trusts(connected(c)) {
		if c.Get(fiber.HeaderXForwardedFor) == "" {
			return false // a proxy that does not say for whom it asks
		}
	} else {
		for _, header := range []string{fiber.HeaderXForwardedFor, fiber.HeaderForwarded, "X-Real-Ip", fiber.HeaderVia} {
			if c.Get(header) != "" {
				return false
			}
		}
	}
	host := string(c.Context().Host())
	if host == "localhost" || strings.HasPrefix(host, "localhost:") {
		return true
	}
	if at, err := netip.ParseAddrPort(host); err == nil {
		return at.Addr().IsLoopback()
	}
	at, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && at.IsLoopback()
}
