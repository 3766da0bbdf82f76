package jobs

// Queue is the urgency of a handler's jobs. Queues share the workers by weight: while all have work, six of ten jobs are
// critical ones, three default ones, and one is a low one.
type Queue uint8

// The queues. A handler without one uses Default.
const (
	Default  Queue = iota
	Critical       // a person waits for it: a mail with a link
	Low            // no one waits for it: cleaning up, statistics
	queueCount
)

// The names are those in Redis, in metrics and in the queue UI.
var queueNames = [queueCount]string{Default: "default", Critical: "critical", Low: "low"}

// String is the queue's name.
func (q Queue) String() string {
	if q >= queueCount {
		return "unknown"
	}
	return queueNames[q]
}

// ParseQueue finds a queue by its name.
func ParseQueue(name string) (Queue, bool) {
	for q, known := range queueNames {
		if known == name {
			return Queue(q), true
		}
	}
	return 0, false
}

// queueWeights are the shares of the queues for asynq.
func queueWeights() map[string]int {
	return map[string]int{Critical.String(): 6, Default.String(): 3, Low.String(): 1}
}
