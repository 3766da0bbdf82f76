package limit

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// script answers the questions of several requests one after another. It counts each request in every window, or in none of
// them where one is full. The counts of a subject are one string of six numbers: the number of each window and the requests in
// it. A number that is one ahead belongs to a process whose clock is slightly ahead of ours, and is continued; any other
// begins a new window. Packed numbers and one call for all take Redis less than half the time that numbers in words and a call
// for each take.
//
// KEYS are the subjects; one may be there several times. ARGV[1] has eight numbers for each, as pack writes them: number
// and limit (0 = none) of burst, minute and day; what is asked (one of the constants below); as how many requests it counts. ARGV[2] and ARGV[3] are the seconds
// to keep counts with and without a day's limit.
// Returns four numbers for each, packed: which window is full (0 = none, 1 burst, 2 minute, 3 day) and the requests counted in
// each. A request that passes although its day is used up is not counted in the day; the number of the day is then above the
// limit.
//
// Of several windows that are full it names the longest: the others are of no use before it ends.
var script = redis.NewScript(`
local call, pack, unpack = redis.call, struct.pack, struct.unpack
local answers, at = {}, 1
for i, key in ipairs(KEYS) do
	local b, bl, m, ml, d, dl, ask, n
	b, bl, m, ml, d, dl, ask, n, at = unpack('>I4I4I4I4I4I4I4I4', ARGV[1], at)
	local bn, mn, dn = 0, 0, 0
	local held = call('GET', key)
	if held and #held == 24 then
		local wb, nb, wm, nm, wd, nd = unpack('>I4I4I4I4I4I4', held)
		if wb == b or wb == b + 1 then b, bn = wb, nb end
		if wm == m or wm == m + 1 then m, mn = wm, nm end
		if wd == d or wd == d + 1 then d, dn = wd, nd end
	end
	local full, changed, over = 0, true, 0
	if ask == 2 then
		changed = dn > 0
		dn = math.max(dn - n, 0)
	else
		if dl > 0 and dn + n > dl and ask ~= 1 then full = 3
		elseif ml > 0 and mn + n > ml then full = 2
		elseif bl > 0 and bn + n > bl then full = 1 end
		changed = full == 0 or ask == 3
		if full == 0 then
			bn, mn = bn + n, mn + n
			if dl == 0 or dn + n <= dl then dn = dn + n else over = 1 end
		elseif ask == 3 then
			bn, mn, dn = math.max(bn - 1, 0), math.max(mn - 1, 0), math.max(dn - 1, 0)
		end
	end
	if changed then
		call('SET', key, pack('>I4I4I4I4I4I4', b, bn, m, mn, d, dn), 'EX', dl > 0 and ARGV[2] or ARGV[3])
	end
	answers[i] = pack('>I4I4I4I4', full, bn, mn, dn + over)
end
return table.concat(answers)
`)

// The kinds of questions.
const (
	askPass  = 0 // may the request pass? If so, it is counted
	askSpent = 1 // the same, for a request that a used-up day does not refuse and that is then not counted in the day
	askBack  = 2 // so many requests less in the day
	askMore  = 3 // may a counted request count as so many more? If not, it counts in no window
)

// numbers are the script's arguments for one subject.
type numbers [8]uint32

// answer is the script's result: the window that is full, and the requests in each of the three.
type answer [4]uint32

// bytesOfNumber is the size of a packed number.
const bytesOfNumber = 4

// run makes one round trip, and a second one if Redis does not know the script yet (after a restart). It returns one answer for
// each of subjects.
func run(ctx context.Context, rdb redis.UniversalClient, subjects []string, told []numbers) ([]answer, error) {
	if cluster, ok := rdb.(*redis.ClusterClient); ok {
		return runByNode(ctx, cluster, subjects, told)
	}
	result, err := script.Run(ctx, rdb, subjects, pack(told), keepDay, keepShort).Text()
	if err != nil {
		return nil, err
	}
	return unpack(result, len(subjects))
}

// runByNode is run for a Cluster, where all keys of a call must be on one node: it makes one call for each subject, in one
// pipeline for each node.
func runByNode(ctx context.Context, cluster *redis.ClusterClient, subjects []string, told []numbers) ([]answer, error) {
	calls := make([]*redis.Cmd, len(subjects))
	pipeline := func(p redis.Pipeliner) error {
		for i := range subjects {
			if calls[i] == nil || redis.HasErrorPrefix(calls[i].Err(), "NOSCRIPT") {
				calls[i] = script.EvalSha(ctx, p, subjects[i:i+1], pack(told[i:i+1]), keepDay, keepShort)
			}
		}
		return nil
	}
	_, err := cluster.Pipelined(ctx, pipeline)
	if redis.HasErrorPrefix(err, "NOSCRIPT") { // a node that started since; the calls to other nodes are counted
		load := func(ctx context.Context, node *redis.Client) error { return script.Load(ctx, node).Err() }
		if err = cluster.ForEachMaster(ctx, load); err == nil {
			_, err = cluster.Pipelined(ctx, pipeline)
		}
	}
	if err != nil {
		return nil, err
	}
	var all strings.Builder
	for _, call := range calls {
		one, err := call.Text()
		if err != nil {
			return nil, err
		}
		all.WriteString(one)
	}
	return unpack(all.String(), len(subjects))
}

func pack(told []numbers) []byte {
	packed := make([]byte, 0, len(told)*len(numbers{})*bytesOfNumber)
	for i := range told {
		for _, n := range told[i] {
			packed = binary.BigEndian.AppendUint32(packed, n)
		}
	}
	return packed
}

func unpack(result string, n int) ([]answer, error) {
	answers, rest := make([]answer, n), []byte(result)
	if len(rest) != len(answers)*len(answer{})*bytesOfNumber {
		return nil, fmt.Errorf("limit: the script answered %d bytes about %d subjects", len(rest), n)
	}
	for i := range answers {
		for k := range answers[i] {
			answers[i][k], rest = binary.BigEndian.Uint32(rest), rest[bytesOfNumber:]
		}
	}
	return answers, nil
}
