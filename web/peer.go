package web

import (
	"bytes"
	"net/netip"
	"slices"

	"github.com/gofiber/fiber/v2"
)

// peers finds the real sender of a request.
type peers struct{ trusted []netip.Prefix }

func (p peers) trusts(address netip.Addr) bool {
	for _, prefix := range p.trusted {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

// connected is the other end of the connection; the zero Addr if it is no IP address (a Unix socket).
func connected(c *fiber.Ctx) netip.Addr {
	address, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	return address.Unmap()
}

// client is the caller's address: the other end of the connection or, when that is a trusted proxy, the last address in
// X-Forwarded-For that is not one. All lines of the header are one list: a proxy may add its own line below one that the caller
// has sent (HAProxy does), or its own address to the caller's line (nginx does). Headers of an untrusted peer are ignored.
//
// It is the zero Addr if a trusted proxy sends an invalid address: such callers share one limit.
func (p peers) client(c *fiber.Ctx) netip.Addr {
	address := connected(c)
	if len(p.trusted) == 0 || !p.trusts(address) {
		return address
	}
	lines := c.Request().Header.PeekAll(fiber.HeaderXForwardedFor)
	for _, line := range slices.Backward(lines) {
		for rest := line; len(rest) > 0; {
			last := rest
			if comma := bytes.LastIndexByte(rest, ','); comma >= 0 {
				rest, last = rest[:comma], rest[comma+1:]
			} else {
				rest = nil
			}
			if last = bytes.Trim(last, " \t"); len(last) == 0 {
				continue // an empty member of a list is ignored (RFC 9110, 5.6.1)
			}
			var readable bool
			if address, readable = forwardedAddress(string(last)); !readable {
				return netip.Addr{}
			}
			if !p.trusts(address) {
				return address
			}
		}
	}
	return address
}

// forwardedAddress reads one member of X-Forwarded-For: an address, also with a port, in brackets, or in quotation marks as Forwarded
// has them.
func forwardedAddress(text string) (address netip.Addr, ok bool) {
	if n := len(text); n > 2 && text[0] == '"' && text[n-1] == '"' {
		text = text[1 : n-1]
	}
	if at, err := netip.ParseAddrPort(text); err == nil {
		return plainAddress(at.Addr()), true
	}
	if n := len(text); n > 2 && text[0] == '[' && text[n-1] == ']' {
		text = text[1 : n-1]
		if address, err := netip.ParseAddr(text); err != nil || !address.Is6() {
			return netip.Addr{}, false
		}
	}
	address, err := netip.ParseAddr(text)
	return plainAddress(address), err == nil
}

// plainAddress normalizes an address: without the zone of a link, and without IPv4 in IPv6.
func plainAddress(address netip.Addr) netip.Addr { return address.WithZone("").Unmap() }
