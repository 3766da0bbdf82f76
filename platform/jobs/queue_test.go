package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/jobs"
)

// Each job goes into the queue that its handler names, and every queue is worked on.
func TestJobsGoIntoTheQueueOfTheirHandler(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	urgent, usual, idle := c.handler("test.run_urgent"), c.handler("test.run_usual"), c.handler("test.run_idle")
	urgent.Queue, idle.Queue = jobs.Critical, jobs.Low
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{urgent, usual, idle}}, jobs.Config{})
	want := map[string]string{"test.run_urgent": "critical", "test.run_usual": "default", "test.run_idle": "low"}
	for name := range want {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: name, TaskID: name}))
	}
	c.reaches(t, 3)
	inspector := asynq.NewInspectorFromRedisClient(b.rdb)
	for name, queue := range want {
		require.Eventually(t, func() bool {
			info, err := inspector.GetTaskInfo(queue, name)
			return err == nil && info.State == asynq.TaskStateCompleted
		}, soon, often, "%s is not in queue %s", name, queue)
	}
	servers, err := inspector.Servers()
	require.NoError(t, err)
	require.Len(t, servers, 1)
	require.Equal(t, map[string]int{"critical": 6, "default": 3, "low": 1}, servers[0].Queues)
	require.False(t, servers[0].StrictPriority, "the low queue must not starve")
}

func TestQueuesAreFoundByName(t *testing.T) {
	t.Parallel()
	for _, q := range []jobs.Queue{jobs.Default, jobs.Critical, jobs.Low} {
		found, ok := jobs.ParseQueue(q.String())
		require.True(t, ok)
		require.Equal(t, q, found)
	}
	for _, name := range []string{"", "urgent", "Critical", jobs.Queue(9).String()} {
		_, ok := jobs.ParseQueue(name)
		require.False(t, ok, name)
	}
}

// The wait before a retry is drawn with the source that the worker was given.
func TestARetryWaitsForWhatIsDrawn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.worker(t, jobs.Deps{Random: func() float64 { return 0.5 }, Handlers: []jobs.Handler{
		{Type: "test.try_again", Retries: 5, Run: func(context.Context, []byte) error { return errors.New("not now") }},
	}}, jobs.Config{})
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.try_again", TaskID: "once more"}))
	inspector := asynq.NewInspectorFromRedisClient(b.rdb)
	require.Eventually(t, func() bool {
		info, err := inspector.GetTaskInfo("default", "once more")
		if err != nil || info.State != asynq.TaskStateRetry {
			return false
		}
		wait := info.NextProcessAt.Sub(info.LastFailedAt) // both in whole seconds: 5.5 s between ten seconds and one
		return wait >= 5*time.Second && wait <= 6*time.Second
	}, soon, often)
}

// A job that panics is a job that failed: the worker goes on with the next one, and the queue keeps a line of it.
func TestAPanicDoesNotTakeTheWorkerDown(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	panics := jobs.Handler{Type: "test.panic_always", Run: func(context.Context, []byte) error {
		panic("a bug")
	}}
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{panics, c.handler("catalog.count_up")}}, jobs.Config{Concurrency: 1})
	for i := range 5 {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.panic_always", Payload: number{i}}))
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", Payload: number{i}}))
	}
	c.reaches(t, 5)
	inspector := asynq.NewInspectorFromRedisClient(b.rdb)
	require.Eventually(t, func() bool {
		list, err := inspector.ListArchivedTasks("default")
		return err == nil && len(list) == 5 && list[0].LastErr == "panic: a bug"
	}, soon, often)
}
