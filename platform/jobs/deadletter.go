package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"gpatlas/platform/apperr"
)

// DeadLetter is a job that failed permanently: its last attempt failed, it was marked by Never, or its type has no handler.
// asynq keeps the last 10,000 of a queue for 90 days.
type DeadLetter struct {
	Queue    Queue
	ID       string // of the task: the natural key, or the outbox row's id
	Type     string
	Payload  string    // JSON: ids and options
	FailedAt time.Time // of the last run, UTC; zero for a job that was archived by hand before any
	Runs     int       // failed runs
	Error    string    // of the last run: one line, without secrets
}

// Inspector reads and changes the dead letters.
type Inspector struct {
	tasks *asynq.Inspector
	redis *redis.Client
}

// NewInspector connects on first use. Close ends the connection.
func NewInspector(redisURL string) (*Inspector, error) {
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		return nil, fmt.Errorf("the URL of Redis: %w", err)
	}
	client := redis.NewClient(options)
	return &Inspector{asynq.NewInspectorFromRedisClient(client), client}, nil
}

// Close ends the connection to Redis.
func (i *Inspector) Close() error { return i.redis.Close() }

// DeadLetters returns the latest dead letters of all queues, newest first, at most limit, and how many there are in all.
func (i *Inspector) DeadLetters(limit int) (list []DeadLetter, total int, err error) {
	known, err := i.tasks.Queues()
	if err != nil {
		return nil, 0, queueAway(err)
	}
	for _, name := range known {
		q, ours := ParseQueue(name)
		if !ours {
			continue
		}
		info, err := i.tasks.GetQueueInfo(name)
		if err != nil {
			return nil, 0, queueAway(err)
		}
		total += info.Archived
		found, err := i.latest(q, info.Archived, limit)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, found...)
	}
	slices.SortFunc(list, func(a, b DeadLetter) int {
		return cmp.Or(b.FailedAt.Compare(a.FailedAt), cmp.Compare(b.ID, a.ID))
	})
	return list[:min(len(list), max(limit, 0))], total, nil
}

// latest reads a queue's dead letters from the end: asynq pages through them from the oldest on.
func (i *Inspector) latest(q Queue, count, limit int) ([]DeadLetter, error) {
	if limit <= 0 {
		return nil, nil
	}
	var list []DeadLetter
	for page := (count + limit - 1) / limit; page > 0 && len(list) < limit; page-- {
		tasks, err := i.tasks.ListArchivedTasks(q.String(), asynq.PageSize(limit), asynq.Page(page))
		if err != nil {
			return nil, queueAway(err)
		}
		for _, task := range slices.Backward(tasks) {
			list = append(list, deadLetter(q, task))
		}
	}
	return list[:min(len(list), limit)], nil
}

func deadLetter(q Queue, task *asynq.TaskInfo) DeadLetter {
	d := DeadLetter{Queue: q, ID: task.ID, Type: task.Type, Payload: string(task.Payload), Error: task.LastErr}
	if !task.LastFailedAt.IsZero() {
		d.FailedAt, d.Runs = task.LastFailedAt.UTC(), task.Retried+1
	}
	return d
}

// RunAgain returns a dead letter one more run: if that fails, it is a dead letter again.
func (i *Inspector) RunAgain(q Queue, id string) error { return i.change(q, id, i.tasks.RunTask) }

// Delete removes a dead letter. A job of the same natural key may be enqueued from then on.
func (i *Inspector) Delete(q Queue, id string) error { return i.change(q, id, i.tasks.DeleteTask) }

// change checks the state first: asynq would run or delete a waiting job as well.
func (i *Inspector) change(q Queue, id string, do func(queue, id string) error) error {
	info, err := i.tasks.GetTaskInfo(q.String(), id)
	if err == nil && info.State != asynq.TaskStateArchived {
		err = asynq.ErrTaskNotFound
	}
	if err == nil {
		err = do(q.String(), id)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, asynq.ErrTaskNotFound), errors.Is(err, asynq.ErrQueueNotFound):
		return apperr.NotFound("There is no failed job with that ID in queue %s", q).Wrap(err)
	default:
		return queueAway(err)
	}
}

func queueAway(err error) error {
	return apperr.Unavailable("The job queue is unavailable; try again").Wrap(err)
}
