package index

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// answersBytes is how much memory the remembered aggregates take. Filters with free numbers could fill any memory: beyond it all
// are forgotten, which costs a walk each. A single one of more than an eighth of it is not remembered.
const answersBytes = 4 << 20

// answers remembers the aggregates of one snapshot: they are few, dear, and never change.
type answers struct {
	mu    sync.RWMutex
	known map[string][]AggregateRow
	bytes int
}

func (a *answers) get(key string, compute func() []AggregateRow) []AggregateRow {
	a.mu.RLock()
	rows, ok := a.known[key]
	a.mu.RUnlock()
	if ok {
		return rows
	}
	rows = compute()
	size := answerBytes(key, rows)
	if size > answersBytes/8 {
		return rows
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.known[key]; ok { // computed twice at once
		return rows
	}
	if a.known == nil || a.bytes+size > answersBytes {
		a.known, a.bytes = make(map[string][]AggregateRow), 0
	}
	a.known[key] = rows
	a.bytes += size
	return rows
}

// The sizes of what is remembered, and of a place in the map: two words for the key, three for the list, and what is left free.
var (
	rowBytes     = int(reflect.TypeFor[AggregateRow]().Size())
	figuresBytes = int(reflect.TypeFor[Figures]().Size())
)

const placeBytes = 96

// answerBytes is the memory of a remembered answer. The words in its rows are the snapshot's.
func answerBytes(key string, rows []AggregateRow) int {
	size := placeBytes + len(key) + cap(rows)*rowBytes
	for i := range rows {
		size += len(rows[i].Figures) * figuresBytes
	}
	return size
}

// answerKey is the query as text; lengths keep words apart.
func answerKey(q *AggregateQuery) string {
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
