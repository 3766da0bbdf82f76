package throttle

import (
	"context"
	"net/netip"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/auth"
)

// SignIn is what a password attempt is counted by: the email address from this IP address, the IP address, and the email
// address from anywhere. Guessing from one place uses up only that place's ten attempts: the owner, elsewhere, can still sign
// in. The address is counted whether or not it has an account.
func SignIn(email string, from netip.Addr) []Use {
	key, place := user.Key(email), auth.Network(from)
	return []Use{{Rule: LoginPair, Subject: key, Place: place}, {Rule: LoginIP, Subject: place}, {Rule: LoginEmail, Subject: key}}
}

// Mail is what a requested mail is counted by: the IP address.
func Mail(from netip.Addr) Use { return Use{Rule: MailIP, Subject: auth.Network(from)} }

// ClearSignIns clears the failed sign-ins of an email address, from everywhere, after its owner has been proved. Counts of IP
// addresses stay. Inside a transaction it is part of it.
func (s *Service) ClearSignIns(ctx context.Context, email string) error {
	for _, rule := range []Rule{LoginPair, LoginEmail} {
		if err := s.Clear(ctx, rule, user.Key(email)); err != nil {
			return err
		}
	}
	return nil
}
