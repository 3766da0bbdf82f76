package digest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

// knownMost bounds the GPs whose news a run keeps in memory, with about a kilobyte each. If more are watched, a run drops them
// all and reads again.
const knownMost = 50_000

// gpNews is the news of a GP in a run, the newest first.
type gpNews struct {
	name   string
	newest []news    // mostNews at most
	at     time.Time // of the newest
	steps  []step    // by arrival, the newest first
}

// step holds the news of a GP since an arrival.
type step struct {
	arrival       int64
	events, funds int64      // from this arrival on
	knownAt       *time.Time // nil: unknown
}

// known is the news that a run has read: many accounts watch the same GPs, and ranking takes most of the time.
type known struct {
	store     *store
	low, high int64              // arrivals in between are known
	gps       map[string]*gpNews // nil: there is no news of the GP
}

// look reads the news of GPs after an arrival, unless it is known.
func (k *known) look(ctx context.Context, watched []watch, low int64) error {
	if k.gps == nil || low < k.low {
		k.gps, k.low = map[string]*gpNews{}, low
	}
	missing := k.missing(watched)
	if len(k.gps)+len(missing) > knownMost {
		clear(k.gps)
		missing = k.missing(watched)
	}
	if len(missing) == 0 {
		return nil
	}
	rows, err := k.store.news(ctx, missing, k.low, k.high)
	if err != nil {
		return err
	}
	for _, crd := range missing {
		k.gps[crd] = nil
	}
	for _, r := range rows {
		n := k.gps[r.CRD]
		if n == nil {
			n = &gpNews{name: r.Name, at: r.At}
			k.gps[r.CRD] = n
		}
		if len(n.newest) < mostNews {
			n.newest = append(n.newest, news{r.Fund, r.What, r.Day.UTC()})
		}
		if r.Ends {
			n.steps = append(n.steps, step{r.Arrival, r.Rank, r.Funds, r.KnownAt})
		}
	}
	return nil
}

func (k *known) missing(watched []watch) []string {
	seen := map[string]bool{}
	var list []string
	for _, w := range watched {
		if _, asked := k.gps[w.CRD]; !asked && !seen[w.CRD] {
			seen[w.CRD] = true
			list = append(list, w.CRD)
		}
	}
	return list
}

// section is a digest's part about one GP.
type section struct {
	crd string
	of  *gpNews
	step
}

// digestOf returns the digest of an account: what arrived after its own point about the GPs that it watches, and since it watches them. It
// lists the GPs with the newest news; the counts are of everything.
func (k *known) digestOf(c candidate, watched []watch) data {
	d := data{Since: c.Since.UTC()}
	var list []section
	var watchedSince time.Time // of the GP in the digest that has been watched the longest
	for _, w := range watched {
		n := k.gps[w.CRD]
		if n == nil {
			continue
		}
		t := section{crd: w.CRD, of: n}
		for _, s := range n.steps {
			if s.arrival > c.Low && (s.knownAt == nil || !s.knownAt.Before(w.CreatedAt)) {
				t.arrival = max(t.arrival, s.arrival)
				t.events, t.funds = s.events, s.funds // they are cumulative
			}
		}
		if t.events > 0 {
			list = append(list, t)
			if at := w.CreatedAt.UTC(); watchedSince.IsZero() || at.Before(watchedSince) {
				watchedSince = at
			}
			d.Filings, d.Funds = d.Filings+int(t.events-t.funds), d.Funds+int(t.funds)
		}
	}
	if watchedSince.After(d.Since) { // the digest has nothing before
		d.Since = watchedSince
	}
	slices.SortFunc(list, func(a, b section) int {
		return cmp.Or(cmp.Compare(b.arrival, a.arrival), b.of.at.Compare(a.of.at), strings.Compare(a.crd, b.crd))
	})
	for _, t := range list[:min(mostGPs, len(list))] {
		d.add(t)
	}
	d.MoreGPs = len(list) - len(d.GPs)
	return d
}
