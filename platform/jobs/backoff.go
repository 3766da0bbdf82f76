package jobs

import "time"

const (
	retryLeast = time.Second      // minimum wait: time for the cause to pass
	retryFirst = 10 * time.Second // maximum before the first retry
	retryMost  = time.Hour        // maximum before any retry
)

// backoff is the wait before the next run of a job that has failed n times before this one: random between retryLeast and a
// ceiling that doubles with each failure. Full jitter separates jobs that failed together. random returns numbers in [0, 1).
func backoff(n int, random func() float64) time.Duration {
	ceiling := retryFirst
	for ; n > 0 && ceiling < retryMost; n-- {
		ceiling *= 2
	}
	ceiling = min(ceiling, retryMost)
	return retryLeast + time.Duration(random()*float64(ceiling-retryLeast))
}
