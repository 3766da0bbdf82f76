package sending

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func endpoints(from, to int) (list []due) {
	for i := from; i < to; i++ {
		list = append(list, due{ID: fmt.Sprintf("%03d", i), UserID: int64(i)})
	}
	return list
}

// know lets endpoints answer ten times in a moment.
func (s *slots) know(list []due, took time.Duration) {
	for _, d := range list {
		for range judged {
			s.end(d, s.begin(d), took)
		}
	}
}

// start takes the slots that want gives, and returns how many each endpoint has.
func (s *slots) start(list []due) map[string]int {
	got := map[string]int{}
	ids, counts := s.want(list)
	for i, id := range ids {
		for range counts[i] {
			s.begin(list[slices.IndexFunc(list, func(d due) bool { return d.ID == id })])
			got[id]++
		}
	}
	return got
}

// Hanging endpoints hold at most 16 slots, however many they are; the others get all the rest, four each.
func TestHangingEndpointsHoldUpNobodyElse(t *testing.T) {
	t.Parallel()
	for _, hanging := range []int{20, 64} {
		var s slots
		good, bad := endpoints(hanging, 100), endpoints(0, hanging)
		s.know(good, 20*time.Millisecond)
		s.know(bad, failure)
		all := slices.Concat(bad, good)
		got := s.start(all)
		sum := 0
		for _, d := range bad {
			sum += got[d.ID]
		}
		require.Equal(t, slotsSuspect, sum)
		require.Equal(t, slotsAll, s.all)
		for range 50 { // those that hang keep their slots; the others give theirs back, and all of them have their turn
			served := map[string]bool{}
			for range 3 {
				for _, d := range good {
					for s.busy[d.ID] > 0 {
						s.end(d, false, 20*time.Millisecond)
					}
				}
				for id := range s.start(all) {
					served[id] = true
				}
			}
			require.Len(t, served, len(good))
		}
	}
}

// New endpoints share the slots of the slow ones. One that becomes slow does, too, and one that recovers does not.
func TestSuspects(t *testing.T) {
	t.Parallel()
	var s slots
	list := endpoints(0, 30)
	require.Len(t, s.start(list), slotsSuspect)
	s = slots{}
	s.know(list, slow)
	require.False(t, s.suspect("000"), "three seconds are not slow")
	for range 5 {
		s.end(list[0], s.begin(list[0]), slow+1)
	}
	require.True(t, s.suspect("000"))
	for range 6 {
		s.end(list[0], s.begin(list[0]), time.Second)
	}
	require.False(t, s.suspect("000"))
	require.Equal(t, 0, s.all+s.shared+len(s.busy))
	require.Equal(t, map[string]int{"000": slotsEndpoint}, s.start(list[:1]))
	require.Equal(t, []string{"000"}, s.full())
	require.Empty(t, s.start(list[:1]))
	require.Equal(t, map[string]int{"001": 1}, s.start([]due{{ID: "001", Streak: probeAfter}}))
	require.Empty(t, s.start([]due{{ID: "001", Streak: probeAfter}}))
}

func TestWaits(t *testing.T) {
	t.Parallel()
	for tries, want := range waits {
		for range 100 {
			d, ok := wait(tries + 1)
			require.True(t, ok)
			require.InDelta(t, want, d, float64(want)/5)
		}
	}
	_, ok := wait(len(waits) + 1)
	require.False(t, ok)
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a b c", Printable([]byte("a\nb\x00\xff\x1b\tc"), nil))
	long := make([]byte, 0, 2000)
	for range 700 {
		long = append(long, "é"...)
	}
	require.Len(t, Printable(append([]byte("x"), long...), nil), 511)
}

// The endpoints of one account hold at most four of the slots of suspects: those of others get the rest.
func TestAccountsShareTheSlotsOfSuspects(t *testing.T) {
	t.Parallel()
	var s slots
	all := endpoints(0, 60)
	for i := range 50 {
		all[i].UserID = 1000
	}
	got, of := s.start(all), 0
	for _, d := range all[:50] {
		of += got[d.ID]
	}
	require.Equal(t, slotsAccount, of)
	require.Equal(t, slotsSuspect, s.shared)
	require.Empty(t, s.start(all[:50]), "they hang")
	for _, d := range all[50:] {
		for range got[d.ID] {
			s.end(d, true, time.Millisecond)
		}
	}
	require.Len(t, s.start(all), 10)
}

// A receiver that repeats what it was sent does not bring the values of hidden headers into the list of messages.
func TestPrintableHidesHeaders(t *testing.T) {
	t.Parallel()
	sent := http.Header{"Authorization": {"Bearer of-the-receiver"}, "Webhook-Id": {"msg_1"}, "Content-Type": {"application/json"}}
	require.Equal(t, "got [hidden] msg_1 application/json", Printable([]byte("got Bearer of-the-receiver msg_1 application/json"), sent))
}
