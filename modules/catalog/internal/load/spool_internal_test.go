package load

import (
	"bytes"
	"io"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rows come back in their order, as often as they are read, from memory and from the file, however long they are.
func TestSpool(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{0, 3, 40_000} {
		var p spool
		row := func(i int) []byte {
			length := 1000
			if i%9_999 == 1 {
				length = 3 * chunk
			}
			return append(bytes.Repeat([]byte{'x'}, length), strconv.Itoa(i)...)
		}
		for i := range rows {
			p.rows.begin()
			p.rows.plain(string(row(i)))
			p.rows.end()
			require.NoError(t, p.spill())
		}
		require.Equal(t, rows > 3, p.file != nil)
		require.Less(t, len(p.rows.buf), spoolMemory)
		for range 2 {
			r := p.read()
			for i := range rows {
				got, err := r.next()
				require.NoError(t, err)
				if !bytes.Equal(row(i), got) {
					t.Fatalf("row %d is another", i)
				}
			}
			_, err := r.next()
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		}
		p.close()
	}
}
