package mail

import (
	"context"
	"errors"

	"gpatlas/platform/jobs"
)

// NotifyJob takes a notification into the queue of module notifications.
const NotifyJob = "notifications.take"

// Notification asks for one mail to one account, which module notifications sends: it asks the account's preferences and the registry of
// kinds at delivery, sends each mail once, and counts what becomes of it. Modules enqueue it and import nothing of that module.
//
// Delivery is within the hour. Mails about the security of an account (a new password, a confirmation of an address) do not go
// this way: their modules send them at once.
//
// Without module notifications nothing takes the jobs: the worker logs each as unknown and keeps it among the dead letters,
// from where it can be run again once the module is there.
type Notification struct {
	Kind   string `json:"kind"` // of the registry: "trial_ending"
	UserID int64  `json:"user_id"`
	// Key is the natural key of the mail: a further notification with it is the same mail, for more than a year. It begins with
	// the kind: "trial_ending:7:2026-12-04T09:30:00Z".
	Key string `json:"key"`
	// Data is what the mail shows besides the account's name: ids, amounts, times. It is encoded as JSON.
	Data any `json:"data"`
}

// Notify writes the notification to the outbox, in the transaction of what it is about.
func Notify(ctx context.Context, queue *jobs.Enqueuer, n Notification) error {
	if n.Kind == "" || n.UserID == 0 || n.Key == "" {
		return errors.New("mail: a notification needs a kind, an account and a key")
	}
	return queue.Enqueue(ctx, jobs.Job{Type: NotifyJob, Payload: n, TaskID: jobs.Key(NotifyJob, n.Key)})
}
