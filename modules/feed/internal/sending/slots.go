package sending

import (
	"maps"
	"slices"
	"time"
)

const (
	slotsAll      = 64 // requests of a process at the same time
	slotsEndpoint = 4  // to one endpoint
	// slotsSuspect is how many of all slots the endpoints share that are slow or fail, or are not known yet. Hanging endpoints
	// delay these endpoints alone.
	slotsSuspect = 16
	// slotsAccount is how many of these the endpoints of one account hold, so that no account delays the new endpoints of others.
	slotsAccount = 4
	// probeAfter is how many failures in a row leave an endpoint one request at a time.
	probeAfter = 5
	// judged is by how many of its last answers an endpoint is judged, slow from which median on it is slow, and failure what a failed
	// one counts as.
	judged  = 10
	slow    = 3 * time.Second
	failure = time.Hour
	// knownMost is how many endpoints are remembered.
	knownMost = 50_000
)

// slots decide which endpoints are called next. They belong to one goroutine.
type slots struct {
	busy    map[string]int             // requests to an endpoint
	all     int                        // requests
	shared  int                        // of them, those to suspects
	holds   map[int64]int              // of those, the ones of an account
	answers map[string][]time.Duration // of an endpoint, the newest last
	last    string                     // the endpoint that was served last
}

// suspect reports whether an endpoint is slow or fails, or is not known yet.
func (s *slots) suspect(id string) bool {
	list := s.answers[id]
	if len(list) < judged {
		return true
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[judged/2] > slow
}

// want chooses what is claimed next: endpoints, and how many messages of each. It takes one message of each endpoint in turn, and begins after
// the endpoint that was served last.
func (s *slots) want(list []due) (ids []string, counts []int) {
	begin := 0
	for begin < len(list) && list[begin].ID <= s.last {
		begin++
	}
	list = slices.Concat(list[begin:], list[:begin])
	free, shared := slotsAll-s.all, slotsSuspect-s.shared
	wanted, held := map[string]int{}, maps.Clone(s.holds)
	if held == nil {
		held = map[int64]int{}
	}
	for range slotsEndpoint {
		for _, d := range list {
			most := slotsEndpoint
			if d.Streak >= probeAfter {
				most = 1
			}
			suspect := s.suspect(d.ID)
			if free == 0 || suspect && (shared == 0 || held[d.UserID] == slotsAccount) || s.busy[d.ID]+wanted[d.ID] >= most {
				continue
			}
			if wanted[d.ID] == 0 {
				ids = append(ids, d.ID)
			}
			wanted[d.ID]++
			free--
			if suspect {
				shared--
				held[d.UserID]++
			}
			s.last = d.ID
		}
	}
	for _, id := range ids {
		counts = append(counts, wanted[id])
	}
	return ids, counts
}

// full is the endpoints that can get no more slots.
func (s *slots) full() []string {
	list := []string{}
	for id, n := range s.busy {
		if n >= slotsEndpoint {
			list = append(list, id)
		}
	}
	return list
}

// begin takes a slot, and reports whether it is one of those that suspects share.
func (s *slots) begin(d due) (suspect bool) {
	if s.busy == nil {
		s.busy, s.answers, s.holds = map[string]int{}, map[string][]time.Duration{}, map[int64]int{}
	}
	s.busy[d.ID]++
	s.all++
	if suspect = s.suspect(d.ID); suspect {
		s.shared++
		s.holds[d.UserID]++
	}
	return suspect
}

// end gives the slot back and notes how long the answer took.
func (s *slots) end(d due, suspect bool, took time.Duration) {
	if s.busy[d.ID]--; s.busy[d.ID] == 0 {
		delete(s.busy, d.ID)
	}
	s.all--
	if suspect {
		s.shared--
		if s.holds[d.UserID]--; s.holds[d.UserID] == 0 {
			delete(s.holds, d.UserID)
		}
	}
	if len(s.answers) >= knownMost {
		clear(s.answers)
	}
	s.answers[d.ID] = append(s.answers[d.ID], took)
	s.answers[d.ID] = s.answers[d.ID][max(0, len(s.answers[d.ID])-judged):]
}
