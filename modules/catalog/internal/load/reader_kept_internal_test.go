package load

import (
	"bytes"
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rows come back in their order, as often as they are read, from memory and from the file, however long they are.
func TestKept(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{0, 3, 40_000} {
		var k spillFile
		row := func(i int) []byte {
			length := 1000
			if i%9_999 == 1 {
				length = 3 * chunkSize
			}
			return append(bytes.Repeat([]byte{'x'}, length), strconv.Itoa(i)...)
		}
		for i := range rows {
			k.rows.begin()
			k.rows.plain(string(row(i)))
			k.rows.end()
			require.NoError(t, k.spill())
		}
		require.Equal(t, rows > 3, k.file != nil)
		require.Less(t, len(k.rows.buf), keptMemory)
		for range 2 {
			next := 0
			require.NoError(t, k.each(func(got []byte) error {
				if !bytes.Equal(row(next), got) {
					t.Fatalf("row %d is another", next)
				}
				next++
				return nil
			}))
			require.Equal(t, rows, next)
		}
		enough, taken := errors.New("enough"), 0
		err := k.each(func([]byte) error { taken++; return enough })
		require.Equal(t, min(rows, 1), taken)
		require.Equal(t, rows > 0, errors.Is(err, enough))
		k.close()
	}
}
