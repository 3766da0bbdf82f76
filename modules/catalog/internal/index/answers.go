package index

import (
	"fmt"
	"strings"
	"sync"

	"gpatlas/modules/catalog/catalogapi"
)

// answersMax is how many answers are remembered. Filters with free numbers could fill any memory: beyond it all are
// forgotten, which costs a scan each.
const answersMax = 1024

// answers remembers the aggregates of one snapshot: they are few, dear, and never change.
type answers struct {
	mu    sync.RWMutex
	known map[string][]catalogapi.AggregateRow
}

func (a *answers) get(q *catalogapi.AggregateQuery, compute func() []catalogapi.AggregateRow) []catalogapi.AggregateRow {
	key := answerKey(q)
	a.mu.RLock()
	rows, ok := a.known[key]
	a.mu.RUnlock()
	if ok {
		return rows
	}
	rows = compute()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil || len(a.known) >= answersMax {
		a.known = make(map[string][]catalogapi.AggregateRow)
	}
	a.known[key] = rows
	return rows
}

// answerKey is the query as text; lengths keep words apart.
func answerKey(q *catalogapi.AggregateQuery) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %d:%s %d", q.GroupBy, q.VintageQuality, len(q.Country), q.Country, len(q.Strategies))
	for _, s := range q.Strategies {
		fmt.Fprintf(&b, " %d:%s", len(s), s)
	}
	for _, n := range []*int64{q.MinAUM, q.MinVintage, q.MaxVintage} {
		if n == nil {
			b.WriteString(" -")
			continue
		}
		fmt.Fprintf(&b, " %d", *n)
	}
	return b.String()
}
