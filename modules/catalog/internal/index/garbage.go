package index

import (
	"runtime/debug"
	"runtime/metrics"
)

// By default the collector allows as much garbage as there is live memory, which suits programs whose live memory changes. An
// index does not change, so half of the process's memory would be garbage between two collections. Searches leave little garbage,
// and marking an index is cheap, because it has few pointers.
const (
	garbageBytes    = 64 << 20 // let gather between two collections
	usualPercent    = 100      // of the runtime; another one was set by the operator (GOGC) and is left alone
	leastPercent    = 20
	liveBytesMetric = "/gc/heap/live:bytes"
)

// boundGarbage sets the collector to the size of the index that has just been built.
func (r *Refresher) boundGarbage() {
	sample := []metrics.Sample{{Name: liveBytesMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return
	}
	percent := garbagePercent(sample[0].Value.Uint64())
	if old := debug.SetGCPercent(percent); old != usualPercent && old != r.percent {
		debug.SetGCPercent(old)
		return
	}
	r.percent = percent
}

// garbagePercent is the share of so much live memory that may gather as garbage.
func garbagePercent(live uint64) int {
	if live == 0 {
		return usualPercent
	}
	return int(min(usualPercent, max(leastPercent, 100*garbageBytes/live))) // #nosec G115 -- between the two
}
