package jobs

import "time"

const (
	retryLeast = time.Second      // whatever is drawn: time for the cause to pass
	retryFirst = 10 * time.Second // the most before the first further run
	retryMost  = time.Hour        // the most before any
)

// backoff is the wait before the next run of a job that has failed n times before this one: drawn evenly between
// retryLeast and a ceiling that doubles with each failure. Full jitter takes jobs that failed together apart. random
// gives numbers in [0, 1).
func backoff(n int, random func() float64) time.Duration {
	ceiling := retryFirst
	for ; n > 0 && ceiling < retryMost; n-- {
		ceiling *= 2
	}
	ceiling = min(ceiling, retryMost)
	return retryLeast + time.Duration(random()*float64(ceiling-retryLeast))
}
