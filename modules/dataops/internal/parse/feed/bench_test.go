package feed_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkFeed opens and drains a feed of the real one's size (23,864 firms): two passes over the text.
func BenchmarkFeed(b *testing.B) {
	const copies = 38
	content := rebuiltFeed(b, copies)
	path := write(b, "IA_FIRM_SEC_Feed_12_31_2023.xml", content)
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		require.Len(b, mustDrain(b, path).filings, copies*628)
	}
}
