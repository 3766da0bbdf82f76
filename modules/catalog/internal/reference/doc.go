// Package reference is the counts over the whole catalog: totals, strategies, locations. They are part of the index's
// snapshot, so they are always those of what a search finds.
package reference
