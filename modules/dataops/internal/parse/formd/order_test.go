package formd_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// many is quarter with more children, among them some that are refused or say nothing. Keys do not stand in the order of their text.
func many() files {
	set := quarter()
	third := "0001851508-25-000004"
	set["FORMDSUBMISSION.tsv"] += table(third + "|021-400001|30-MAR-25||X0708|D|LIVE||")
	set["OFFERING.tsv"] += table(strings.Replace(strings.TrimSuffix(debtOffering, "|"), second, third, 1))
	issuer := func(accession, flag string, key int, name string) string {
		return fmt.Sprintf("%s|%s|%d|1|%s", accession, flag, key, name) + strings.Repeat("|", 18)
	}
	set["ISSUERS.tsv"] += table(
		issuer(first, "NO", 9, "NINTH LP"), issuer(first, "YES", 10, "PRIMARY TOO LP"), issuer(first, "NO", 11, " "), issuer(first, "NO", 100, "LAST LP"),
		issuer(third, "NO", 8, "FIRST OF NONE LP"), issuer(third, "", 12, "SECOND OF NONE LP"))
	for n := range 12 {
		set["RELATEDPERSONS.tsv"] += table(fmt.Sprintf("%s|%d|Jo||Sample %d|||||||Director|||", second, n+9, n))
		set["RECIPIENTS.tsv"] += table(fmt.Sprintf("%s|%d|Payee %d||None||||||||NY||false", first, n+9, n))
	}
	set["RELATEDPERSONS.tsv"] += table(second + "|30|N/A||None||||||||||")
	set["RECIPIENTS.tsv"] += table(first + "|30|None|None|None|None||||||||||")
	return set
}

// shuffled is a set with the rows of each table in another order.
func shuffled(set files, rng *rand.Rand) files {
	out := files{}
	for name, content := range set {
		lines := strings.Split(strings.TrimSuffix(content, "\n"), "\n")
		rng.Shuffle(len(lines)-1, func(i, j int) { lines[1+i], lines[1+j] = lines[1+j], lines[1+i] })
		out[name] = strings.Join(lines, "\n") + "\n"
	}
	return out
}

// said is what a document says, whatever the order and the lines of its rows.
func said(t *testing.T, set files) []string {
	t.Helper()
	d := mustDrain(t, folder(t, set))
	var all []string
	for _, o := range d.offerings {
		all = append(all, fmt.Sprint(o.Accession, o.Filed, o.FileNumber, o.Exemptions, o.Securities))
	}
	for _, i := range d.issuers {
		i.Line = 0
		all = append(all, fmt.Sprintf("%+v", *i))
	}
	for _, p := range d.persons {
		p.Line = 0
		all = append(all, fmt.Sprintf("%+v", *p))
	}
	for _, r := range d.recipients {
		r.Line, r.Foreign = 0, nil
		all = append(all, fmt.Sprintf("%+v", *r))
	}
	for _, r := range d.rejected {
		all = append(all, r.File+" "+r.Reason)
	}
	slices.Sort(all)
	return all
}

// TestSetInAnyOrder: a set says the same in whatever order the rows of its tables stand.
func TestSetInAnyOrder(t *testing.T) {
	t.Parallel()
	want := said(t, many())
	require.Len(t, want, 3+8+15+15+2)
	for seed := range uint64(5) {
		require.Equal(t, want, said(t, shuffled(many(), rand.New(rand.NewPCG(seed, 3)))))
	}
}

// TestSetChildrenByKey: the numbers of children follow the keys, the first one that is flagged as primary is number 1, and rows
// without a key come last as they stand.
func TestSetChildrenByKey(t *testing.T) {
	t.Parallel()
	set := quarter()
	header, _, _ := strings.Cut(set["ISSUERS.tsv"], "\n")
	row := func(flag, key, name string) string {
		return first + "|" + flag + "|" + key + "|1|" + name + strings.Repeat("|", 18)
	}
	set["ISSUERS.tsv"] = header + "\n" + table(
		row("NO", "", "no key"), row("YES", "30", "second primary"), row("NO", "x", "no number"), row("NO", "9", "ninth"), row("YES", "10", "primary"),
		row("NO", "1000000001", "last key"), strings.Replace(row("YES", "1", "of another notice"), first, second, 1))
	d := mustDrain(t, folder(t, set))
	require.Empty(t, d.reasons())
	d.issuers = slices.DeleteFunc(d.issuers, func(i *catalogapi.IssuerRow) bool { return i.Accession == second })
	slices.SortFunc(d.issuers, func(a, b *catalogapi.IssuerRow) int { return cmp.Compare(a.Seq, b.Seq) })
	var names []string
	for n, i := range d.issuers {
		require.Equal(t, n+1, i.Seq)
		names = append(names, i.Name)
	}
	require.Equal(t, []string{"primary", "ninth", "second primary", "last key", "no key", "no number"}, names)
}
