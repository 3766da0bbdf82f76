package verification

import (
	"context"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/register"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/jobs"
	"gpatlas/templates/email"
)

// Handler mails the link that verifies an address. A second run makes a second mail, whose link works while that of the
// first does not: a token is never stored, so that it cannot be mailed twice. For that reason the Message-ID is the token's:
// mail programs that show one of two mails with the same would show the one whose link is dead.
func (s *Service) Handler(mailer *mailing.Mailer) jobs.Handler {
	return jobs.Handler{
		Type: register.VerificationJob, Queue: jobs.Critical, Timeout: mailing.Timeout, Retries: mailing.Retries,
		Run: func(ctx context.Context, payload []byte) error {
			p, err := jobs.Decode[register.VerificationPayload](payload)
			if err != nil {
				return err
			}
			return s.send(ctx, mailer, p.UserID)
		},
	}
}

// send makes a token and mails it. An account that is gone, deleted or verified by then needs none.
func (s *Service) send(ctx context.Context, mailer *mailing.Mailer, userID int64) error {
	var u *user.User
	var issued mailtoken.Issued
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		var err error
		if u, err = s.users.Lock(ctx, userID); err != nil {
			return err
		}
		if u == nil || u.Deleted() || u.EmailVerifiedAt != nil {
			u = nil
			return nil
		}
		issued, err = s.tokens.Issue(ctx, u, mailtoken.Verify, s.clock.Now())
		return err
	})
	if err != nil || u == nil {
		return err
	}
	return mailer.Send(ctx, u, "accounts.verify_email:"+issued.Key, email.VerifyEmail{
		FullName: u.FullName, URL: mailer.Pages.Verify(issued.Secret), ExpiresIn: email.Within(mailtoken.VerifyLifetime),
	})
}
