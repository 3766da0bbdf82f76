package reset

import (
	"context"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/jobs"
	"gpatlas/templates/email"
)

// Handler mails the link that resets a password. A second run makes a second mail, whose link works while that of the
// first does not; hence the Message-ID is the token's, as in the mail that verifies an address.
func (s *Service) Handler(mailer *mailing.Mailer) jobs.Handler {
	return jobs.Handler{
		Type: Job, Queue: jobs.Critical, Timeout: mailing.Timeout, Retries: mailing.Retries,
		Run: func(ctx context.Context, payload []byte) error {
			p, err := jobs.Decode[Payload](payload)
			if err != nil {
				return err
			}
			return s.send(ctx, mailer, p.UserID)
		},
	}
}

// send makes a token and mails it. Nobody, and an account that is gone or deleted by then, gets none.
func (s *Service) send(ctx context.Context, mailer *mailing.Mailer, userID int64) error {
	if userID == 0 {
		return nil
	}
	var u *user.User
	var issued mailtoken.Issued
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		var err error
		if u, err = s.users.Lock(ctx, userID); err != nil {
			return err
		}
		if u == nil || u.Deleted() {
			u = nil
			return nil
		}
		issued, err = s.tokens.Issue(ctx, u, mailtoken.Reset, s.clock.Now())
		return err
	})
	if err != nil || u == nil {
		return err
	}
	return mailer.Send(ctx, u, "accounts.reset_password:"+issued.Key, email.ResetPassword{
		FullName: u.FullName, URL: mailer.Pages.Reset(issued.Secret), ExpiresIn: email.Within(mailtoken.ResetLifetime),
	})
}
