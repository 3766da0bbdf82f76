package mailing

import (
	"context"
	"fmt"
	"time"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
	"gpatlas/templates/email"
)

// NoticeJob sends a mail about an event of an account.
const NoticeJob = "accounts.mail"

// Kind is the event that a notice is about.
type Kind string

// The kinds of notices.
const (
	PasswordChanged  Kind = "password_changed"
	DataExported     Kind = "data_exported"
	AccountDeleted   Kind = "account_deleted"
	AccountRecovered Kind = "account_recovered"
)

// RecoveryWindow is how long a deleted account can be recovered; then it is purged.
const RecoveryWindow = 30 * 24 * time.Hour

// Notice is the payload of NoticeJob.
type Notice struct {
	Kind   Kind  `json:"kind"`
	UserID int64 `json:"user_id"`
	// At is when it happened.
	At time.Time `json:"at"`
}

// key is the natural key of the notice, and of its mail.
func (n Notice) key() string {
	return fmt.Sprintf("%s:%s:%d:%s", NoticeJob, n.Kind, n.UserID, n.At.UTC().Format(time.RFC3339Nano))
}

// Enqueue enqueues a notice in the transaction of its event.
func Enqueue(ctx context.Context, queue *jobs.Enqueuer, kind Kind, userID int64, at time.Time) error {
	n := Notice{Kind: kind, UserID: userID, At: at.UTC()}
	return queue.Enqueue(ctx, jobs.Job{Type: NoticeJob, Payload: n, TaskID: n.key()})
}

// Part is the job that sends notices.
func Part(users *user.Store, mailer *Mailer) module.Part {
	return module.Part{Jobs: []jobs.Handler{NoticeHandler(users, mailer)}}
}

// NoticeHandler sends notices. It does not send outdated ones: after the account was purged, or was recovered before the mail
// about its deletion was sent.
func NoticeHandler(users *user.Store, mailer *Mailer) jobs.Handler {
	return mail.Job(NoticeJob, func(ctx context.Context, n Notice) error {
		u, err := users.FindByID(ctx, n.UserID)
		if err != nil || u == nil {
			return err
		}
		letter, err := n.letter(u, mailer.Pages)
		if err != nil || letter == nil {
			return err
		}
		return mailer.Send(ctx, u, n.key(), letter)
	})
}

// letter is the mail of the notice; nil if the notice is outdated.
func (n Notice) letter(u *user.User, pages Pages) (email.Mail, error) {
	switch n.Kind {
	case PasswordChanged:
		return email.PasswordChanged{FullName: u.ConfirmedName(), ChangedAt: n.At, ResetURL: pages.page(forgotPath)}, nil
	case DataExported:
		return email.DataExported{FullName: u.ConfirmedName(), ExportedAt: n.At, ResetURL: pages.page(forgotPath)}, nil
	case AccountDeleted:
		if u.DeletedAt == nil || !u.DeletedAt.Equal(n.At) {
			return nil, nil
		}
		return email.AccountDeleted{
			FullName: u.ConfirmedName(), DeletedAt: n.At, RecoverURL: pages.page(recoverPath), RecoverUntil: n.At.Add(RecoveryWindow),
		}, nil
	case AccountRecovered:
		return email.AccountRecovered{
			FullName: u.ConfirmedName(), RecoveredAt: n.At, SignInURL: pages.page(signInPath), ResetURL: pages.page(forgotPath),
		}, nil
	}
	return nil, jobs.Never(fmt.Errorf("no notice of kind %q", n.Kind))
}
