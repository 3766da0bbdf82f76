package mailtoken

import (
	"context"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
	"gpatlas/templates/email"
)

// Payload is the payload of the jobs that mail tokens.
type Payload struct {
	UserID int64 `json:"user_id"` // 0: no account, and nothing to send
}

// Job mails a token of the purpose.
func (p Purpose) Job() string {
	if p == Reset {
		return "accounts.send_reset"
	}
	return "accounts.send_verification"
}

// Enqueue enqueues the mail with a new token for an account, in the transaction of ctx.
func Enqueue(ctx context.Context, queue *jobs.Enqueuer, purpose Purpose, userID int64) error {
	return queue.Enqueue(ctx, jobs.Job{Type: purpose.Job(), Payload: Payload{userID}})
}

// Part has the jobs that mail tokens.
func Part(db *database.DB, clk clock.Clock, mailer *mailing.Mailer) module.Part {
	return module.Part{
		Models: []any{Row{}}, Jobs: []jobs.Handler{Handler(db, clk, mailer, Verify), Handler(db, clk, mailer, Reset)},
	}
}

// Handler mails a token to an account that is not deleted. A second run sends a second mail with a new link, and the first link
// stops working: the secret is not stored, so it cannot be mailed twice. The Message-ID is derived from the token, because mail
// programs that show only one of two mails with the same ID would show the one whose link does not work.
func Handler(db *database.DB, clk clock.Clock, mailer *mailing.Mailer, purpose Purpose) jobs.Handler {
	users, tokens := user.NewStore(db), NewStore(db)
	handler := mail.Job(purpose.Job(), func(ctx context.Context, p Payload) error {
		if p.UserID == 0 {
			return nil
		}
		var u *user.User
		var issued Issued
		err := db.InTx(ctx, func(ctx context.Context) (err error) {
			if u, err = users.Lock(ctx, p.UserID); err != nil {
				return err
			}
			if u == nil || u.Deleted() || purpose == Verify && u.EmailVerifiedAt != nil {
				u = nil
				return nil
			}
			issued, err = tokens.Issue(ctx, u, purpose, clk.Now())
			return err
		})
		if err != nil || u == nil {
			return err
		}
		if purpose == Reset {
			return mailer.Send(ctx, u, "accounts.reset_password:"+issued.Key, email.ResetPassword{
				FullName: u.ConfirmedName(), URL: mailer.Pages.Reset(issued.Secret), ExpiresIn: email.Within(ResetLifetime),
			})
		}
		return mailer.Send(ctx, u, "accounts.verify_email:"+issued.Key, email.VerifyEmail{
			FullName: u.ConfirmedName(), URL: mailer.Pages.Verify(issued.Secret), ExpiresIn: email.Within(VerifyLifetime),
		})
	})
	handler.Queue = jobs.Critical
	return handler
}
