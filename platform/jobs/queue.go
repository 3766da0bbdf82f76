package jobs

// Queue returns how urgent the jobs of a handler are. Queues share the workers by weight, none of them alone: while all have
// work, six of ten jobs are critical ones, three default ones, one is a low one.
type Queue uint8

// The queues. A handler that names none is in Default.
const (
	Default  Queue = iota
	Critical       // somebody waits for it: a mail with a link
	Low            // nobody does: clearing up, statistics
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

// queueWeights are the shares of the queues as asynq takes them.
func queueWeights() map[string]int {
	return map[string]int{Critical.String(): 6, Default.String(): 3, Low.String(): 1}
}
