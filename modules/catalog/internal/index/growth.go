package index

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/column"
)

// GrowthCount is how many advisers have a growth over a horizon, and how many have none for each reason.
type GrowthCount struct {
	Known   int
	Reasons map[string]int // reasons that no adviser has are left out
}

// countGrowth counts the growth of the advisers in r.
func (ix *gpIndex) countGrowth(r *column.Result, horizon int) GrowthCount {
	n := GrowthCount{Reasons: map[string]int{}}
	growth := ix.picks[ByGrowth1+Order(horizon)]
	r.Each(func(i uint32) {
		if growth(i) != Unknown {
			n.Known++
		} else if reason := catalogapi.GrowthReason(ix.all[i].GrowthReasons, horizon); reason != "" {
			n.Reasons[reason]++
		}
	})
	return n
}

// sortChanges makes the sort keys of what the assets have changed by, which no filter asks for.
func (ix *gpIndex) sortChanges() {
	latest := ix.coded[GPLatestAUM]
	for horizon := range catalogapi.GrowthYears {
		before := ix.coded[GPBefore1+horizon]
		ix.pick(ByChange1+Order(horizon), func(i uint32) int64 {
			if v := before.At(i); v != Unknown {
				return latest.At(i) - v
			}
			return Unknown
		})
	}
	for i := range ix.growing {
		perm, known := column.Descending(ix.values(gpNumbers[growingBy[i]].Of), nil)
		ix.growing[i] = slices.Clip(perm[:known:known])
	}
}

// growingBy are the growths whose figures aggregates give.
var growingBy = [...]int{GPGrowth1, GPGrowth3}
