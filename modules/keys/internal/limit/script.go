package limit

import "github.com/redis/go-redis/v9"

// script counts one request in every window, or in none of them where one is full. The counts of a subject are one string
// of six numbers: the number of each window and the requests in it. A number that is one ahead is the count of a process
// whose clock is a little ahead of ours, and is gone on with; any other begins a new window. Packed numbers and no tables
// take Redis half the time that a hash and a loop take.
//
// KEYS[1] the subject. ARGV: number and limit (0 = none) of burst, minute and day; seconds to keep the counts; what is asked
// (one of the constants below; nothing is askPass).
// Returns which window is full (0 = none, 1 burst, 2 minute, 3 day) and the requests counted in each.
//
// Of several windows that are full it names the longest: the others are of no use before it ends.
var script = redis.NewScript(`
local b, m, d = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[5])
local bn, mn, dn = 0, 0, 0
local held = redis.call('GET', KEYS[1])
if held and #held == 24 then
	local wb, nb, wm, nm, wd, nd = struct.unpack('>I4I4I4I4I4I4', held)
	if wb == b or wb == b + 1 then b, bn = wb, nb end
	if wm == m or wm == m + 1 then m, mn = wm, nm end
	if wd == d or wd == d + 1 then d, dn = wd, nd end
end
local bl, ml, dl = tonumber(ARGV[2]), tonumber(ARGV[4]), tonumber(ARGV[6])
local full, ask = 0, ARGV[8]
if ask == '2' then
	if dn > 0 then
		dn = dn - 1
		redis.call('SET', KEYS[1], struct.pack('>I4I4I4I4I4I4', b, bn, m, mn, d, dn), 'EX', ARGV[7])
	end
elseif dl > 0 and dn >= dl and ask ~= '1' then full = 3
elseif ml > 0 and mn >= ml then full = 2
elseif bl > 0 and bn >= bl then full = 1
else
	bn, mn = bn + 1, mn + 1
	if dl == 0 or dn < dl then dn = dn + 1 end
	redis.call('SET', KEYS[1], struct.pack('>I4I4I4I4I4I4', b, bn, m, mn, d, dn), 'EX', ARGV[7])
end
return {full, bn, mn, dn}
`)

// What a question asks.
const (
	askPass  = 0 // may the request pass? It is counted then
	askSpent = 1 // the same, of a request that a used-up day does not refuse, and that the day then does not count
	askBack  = 2 // one request less in the day
)
