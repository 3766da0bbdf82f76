package throttle

import (
	"context"
	"net/netip"

	"gpatlas/modules/accounts/internal/user"
)

// unknownPlace stands for all callers whose IP address is not known: they share the counts of one.
const unknownPlace = "unknown"

// SignIn is what a password that somebody tries is counted by: the email address from this place, the place, and the
// email address from anywhere. Whoever guesses from one place uses up only its own ten times: the owner, elsewhere, can
// still sign in. The address is counted whether or not there is such an account.
func SignIn(email string, from netip.Addr) []Use {
	key, place := user.Key(email), place(from)
	return []Use{{Rule: LoginPair, Subject: key, Place: place}, {Rule: LoginIP, Subject: place}, {Rule: LoginEmail, Subject: key}}
}

// Mail is what a mail to an address that somebody has typed is counted by: the place.
func Mail(from netip.Addr) Use { return Use{Rule: MailIP, Subject: place(from)} }

// ClearSignIns forgets the failed sign-ins of an email address, from everywhere: its owner has proved to be its owner. What
// is counted against the places stays. Inside a transaction it is part of it.
func (s *Service) ClearSignIns(ctx context.Context, email string) error {
	for _, rule := range []Rule{LoginPair, LoginEmail} {
		if err := s.Clear(ctx, rule, user.Key(email)); err != nil {
			return err
		}
	}
	return nil
}

// place is where failures are counted for: an IP address, of IPv6 its /64, for whoever has one address has the 2^64 beside
// it.
func place(address netip.Addr) string {
	if !address.IsValid() {
		return unknownPlace
	}
	if address.Is6() && !address.Is4In6() {
		if prefix, err := address.WithZone("").Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return address.Unmap().String()
}
