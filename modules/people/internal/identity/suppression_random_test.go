package identity_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
	"gpatlas/platform/testkit/testscale"
)

// shown is a post: adviser, name and person.
type shown struct{ sight, name, uid string }

func shownIn(t *testing.T, w *fixture.World) (list []shown) {
	t.Helper()
	const statement = "SELECT concat_ws(' ', crd, sight_uid, replace(last_key || ',' || first_key, ' ', '_'), person_uid) FROM people.posts ORDER BY 1"
	lines, err := database.Values[string](t.Context(), w.DB, "read posts", statement, nil)
	require.NoError(t, err)
	for _, line := range lines {
		f := strings.Fields(line)
		list = append(list, shown{f[0] + " " + f[1], f[0] + " " + f[2], f[3]})
	}
	return list
}

// hiding is a suppression in force, with the names that it is about.
type hiding struct {
	names map[string]bool
	by    *overrides.Override
}

// sides are a module and its shadow, in which everything is done but suppressions.
type sides struct {
	w, shadow *fixture.World
	decided   [][2]*overrides.Override
	hidden    []*hiding
}

// hiddenInLogSQL finds the events of people whose posts are hidden, and events with a name.
const hiddenInLogSQL = `SELECT c.seq::text FROM platform.changes c JOIN people.suppressed_at h ON c.crd = h.crd AND c.subject IN (h.person_uid, h.sight_uid)
UNION ALL SELECT o.name FROM (SELECT DISTINCT split_part(name, ',', 1) AS name FROM catalog.owners) o JOIN platform.changes c ON strpos(upper(c.subject || c.said::text), o.name) > 0`

// check verifies the suppressions: no one with their names is shown, nor anyone who is one person with them by current filings
// and decisions. No one else is left out.
func (x *sides) check(t *testing.T, step string) {
	t.Helper()
	got, all := shownIn(t, x.w), shownIn(t, x.shadow)
	may := map[string]bool{}
	for _, h := range x.hidden {
		people := map[string]bool{}
		for _, p := range all {
			people[p.uid] = people[p.uid] || h.names[p.name]
		}
		for _, p := range all {
			may[p.name] = may[p.name] || people[p.uid]
		}
	}
	seen := map[string]bool{}
	hidden, err := database.Values[string](t.Context(), x.w.DB, "look for hidden people in the log", hiddenInLogSQL, nil)
	require.NoError(t, err)
	require.Empty(t, hidden, "%s: the log has an event of a suppressed person", step)
	for _, p := range got {
		require.False(t, may[p.name], "%s: %v is suppressed", step, p)
		require.Contains(t, all, p, "%s: a suppression changed who is who", step)
		seen[p.sight] = true
	}
	for _, p := range all {
		require.True(t, seen[p.sight] || may[p.name], "%s: %v is left out", step, p)
	}
}

// larkspurs are few, so that they meet again.
func larkspurs(t *testing.T, w *fixture.World) []shown {
	t.Helper()
	return slices.DeleteFunc(shownIn(t, w), func(p shown) bool { return !strings.Contains(p.name, " LARKSPUR,") })
}

// act does something at random.
func (x *sides) act(t *testing.T, random *rand.Rand) {
	t.Helper()
	all := larkspurs(t, x.w)
	if len(all) == 0 {
		return
	}
	one, other := all[random.IntN(len(all))], all[random.IntN(len(all))]
	crd := one.name[:6]
	ctx := t.Context()
	switch n := random.IntN(12); {
	case n < 6:
		kind, value := "person_merge", other.uid
		if n > 2 {
			kind, value = "person_split", crd
		}
		if made, _, err := apply(ctx, x.w, kind, one.uid, quoted(value)); x.done(t, err) {
			x.decided = append(x.decided, [2]*overrides.Override{made, must(t, x.shadow, kind, one.uid, quoted(value))})
		}
	case n < 8:
		h := &hiding{names: map[string]bool{}}
		if random.IntN(3) == 0 { // a hidden person, too
			every := larkspurs(t, x.shadow)
			one = every[random.IntN(len(every))]
		}
		for _, p := range shownIn(t, x.shadow) {
			if p.uid == one.uid {
				h.names[p.name] = true
			}
		}
		var err error
		if h.by, _, err = apply(ctx, x.w, "person_suppress", one.uid, "true"); x.done(t, err) { // else the person has one already
			x.hidden = append(x.hidden, h)
		}
	default:
		x.undo(t, random.IntN(len(x.decided)+len(x.hidden)+1))
	}
}

// done reports whether something was; what is not must have a reason.
func (*sides) done(t *testing.T, err error) bool {
	t.Helper()
	if err != nil {
		require.Contains(t, []apperr.Kind{apperr.KindConflict, apperr.KindInvalid, apperr.KindNotFound}, apperr.From(err).Kind, err)
	}
	return err == nil
}

// undo deletes the n-th override, if there is one.
func (x *sides) undo(t *testing.T, n int) {
	t.Helper()
	if n < len(x.decided) {
		x.w.Undo(t, x.decided[n][0])
		x.shadow.Undo(t, x.decided[n][1])
		x.decided = slices.Delete(x.decided, n, n+1)
		return
	}
	if n -= len(x.decided); n < len(x.hidden) {
		x.w.Undo(t, x.hidden[n].by)
		x.hidden = slices.Delete(x.hidden, n, n+1)
	}
}

// Guarantee: whatever is merged, split, suppressed and taken back, and whatever is loaded meanwhile, no suppression is lost, and none
// hides anybody else.
func TestSuppressionsAtRandom(t *testing.T) {
	t.Parallel()
	for seed := range testscale.Rounds(t, 1) {
		random := rand.New(rand.NewPCG(uint64(seed), 11))
		documents := history(rand.New(rand.NewPCG(7, 7)))
		x := &sides{w: fixture.New(t, catalogtest.NewLoader), shadow: fixture.New(t, catalogtest.NewLoader)}
		load := func(n int) {
			x.w.Load(t, documents[n]...)
			x.shadow.Load(t, documents[n]...)
		}
		load(0)
		load(1)
		for step := range 40 {
			if step%10 == 9 {
				load(2 + step/10)
			} else {
				x.act(t, random)
			}
			x.check(t, fmt.Sprintf("seed %d, step %d", seed, step))
		}
		for len(x.decided) > 0 {
			x.undo(t, random.IntN(len(x.decided)))
			x.check(t, fmt.Sprintf("seed %d, %d decisions left", seed, len(x.decided)))
		}
		require.NotEmpty(t, x.hidden)
	}
}
