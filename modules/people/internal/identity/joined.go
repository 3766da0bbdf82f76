package identity

import "time"

// joining is when a person joined an adviser: between after and before. after is nil if no earlier filing omits the person: the
// first schedule that we hold shows who was there, not who joined. monthly reports whether a month of a title narrowed it.
type joining struct {
	after   *time.Time
	before  time.Time
	monthly bool
}

// joined returns when the person joined for the last time. If only notices name a person, they had joined by the first of them.
//
// Spec: not shown; it mirrors departed_between. A person who returns after a filing without them has joined again. A new title in
// between is no joining.
func (r *reading) joined(rows []*row) joining {
	if last := r.lastNaming(rows); r.events[last].notice {
		first := last
		for _, x := range rows {
			first = min(first, x.event)
		}
		return joining{before: r.events[first].on}
	}
	first, left := r.stint(rows)
	j := joining{before: r.events[first].on}
	from := j.before // a filing without the person must be older than this to count
	for _, x := range rows {
		e := r.events[x.event]
		begun, done := e.on, e.on
		if !e.notice {
			begun, done = x.acquired.on, x.acquired.end()
		}
		// What lies before the last departure is of an earlier stint.
		if begun.IsZero() || x.event < first && !e.notice || left >= 0 && !begun.After(r.events[left].on) {
			continue
		}
		j.monthly = j.monthly || !e.notice
		if done.Before(j.before) {
			j.before = done
		}
		if begun.Before(from) {
			from = begun
		}
	}
	for i := first - 1; i > left; i-- {
		if e := r.events[i]; !e.notice && (from.Equal(r.events[first].on) || e.on.Before(from)) {
			j.after = &r.events[i].on
			break
		}
	}
	return j
}

// stint returns the first filing of the unbroken series of schedules that name the person, up to the last one, and the filing
// before it that named them; -1 if there is none.
func (r *reading) stint(rows []*row) (first, left int) {
	named := make(map[int]bool, len(rows))
	last := -1
	for _, x := range rows {
		if !r.events[x.event].notice {
			named[x.event] = true
			last = max(last, x.event)
		}
	}
	first, left = last, -1
	gap := false
	for i := last; i >= 0; i-- {
		switch {
		case r.events[i].notice:
		case named[i] && gap:
			return first, i
		case named[i]:
			first = i
		default:
			gap = true
		}
	}
	return first, left
}

// end is the last day of the month or year in which a title was acquired.
func (a acquisition) end() time.Time {
	if a.yearOnly {
		return a.on.AddDate(1, 0, -1)
	}
	return a.on.AddDate(0, 1, -1)
}
