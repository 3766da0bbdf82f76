package formd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkSet opens and drains a zipped quarter of the usual size: 15,000 notices with one issuer, three related persons
// and a recipient each.
func BenchmarkSet(b *testing.B) {
	const notices = 15_000
	set, size := quarter(), 0
	for name, content := range set {
		header, rest, ok := strings.Cut(content, "\n")
		if !strings.HasSuffix(name, ".tsv") || !ok {
			continue
		}
		var t strings.Builder
		t.WriteString(header + "\n")
		row, _, _ := strings.Cut(rest, "\n")
		if name == "ISSUERS.tsv" {
			row = strings.Split(rest, "\n")[1]
		}
		copies := 1
		if name == "RELATEDPERSONS.tsv" {
			copies = 3
		}
		for i := range notices * copies {
			t.WriteString(strings.Replace(row, first, fmt.Sprintf("0001851508-25-%06d", i/copies), 1) + "\n")
		}
		set[name] = t.String()
		size += t.Len()
	}
	path := write(b, "2025q1_d.zip", zipped(b, set))
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		d := mustDrain(b, path)
		require.Empty(b, d.rejected)
		require.Len(b, d.offerings, notices)
		require.Len(b, d.persons, 3*notices)
	}
	b.ReportMetric(6*notices*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkNotices opens and drains a folder of 500 notices, each of which is read five times.
func BenchmarkNotices(b *testing.B) {
	members := files{}
	for i := range 500 {
		members[fmt.Sprintf("0001851508-21-%06d-primary_doc.xml", i)] = notice
	}
	path := folder(b, members)
	b.SetBytes(int64(500 * len(notice)))
	b.ReportAllocs()
	for b.Loop() {
		require.Len(b, mustDrain(b, path).offerings, 500)
	}
}

// BenchmarkSubmissions opens and drains a folder of 500 full submissions, each of which is read five times.
func BenchmarkSubmissions(b *testing.B) {
	members, size := files{}, 0
	for i := range 500 {
		number := fmt.Sprintf("0001851508-21-%06d", i)
		whole := strings.ReplaceAll(submissionHead, accession, number) + documentHead + notice + documentTail
		members[number+".txt"] = whole
		size += len(whole)
	}
	path := folder(b, members)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		require.Len(b, mustDrain(b, path).offerings, 500)
	}
}
