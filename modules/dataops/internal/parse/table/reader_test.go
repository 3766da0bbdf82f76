package table_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/dataops/internal/parse/table"
)

// outcome is everything that a reader gave.
type outcome struct {
	rows  [][]string
	lines []int
	bad   []string // "line: reason | raw"
}

func readAll(t require.TestingT, src io.Reader, expect int) outcome {
	var out outcome
	r := table.NewReader(src, func(b table.Bad) {
		out.bad = append(out.bad, fmt.Sprintf("%d: %s | %s", b.Line, b.Reason, b.Raw))
	})
	r.Expect(expect, expect)
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		row := make([]string, len(rec.Fields))
		for i, f := range rec.Fields {
			row[i] = string(f)
		}
		out.rows, out.lines = append(out.rows, row), append(out.lines, rec.Line)
	}
}

func TestReaderDialect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"plain":                            {"1,b,c\n", []string{"1", "b", "c"}},
		"no final line end":                {"1,b,", []string{"1", "b", ""}},
		"carriage return":                  {"1,b,\"c\"\r\n", []string{"1", "b", "c"}},
		"carriage return at the end":       {"1,b,\"c\"\r", []string{"1", "b", "c"}},
		"byte order mark":                  {"\xef\xbb\xbf\"1\",b,c\n", []string{"1", "b", "c"}},
		"comma in quotes":                  {`1,"b, c",d`, []string{"1", "b, c", "d"}},
		"line end in quotes":               {"1,\"b\r\nc\",d", []string{"1", "b\r\nc", "d"}},
		"empty quotes":                     {`"","",""`, []string{"", "", ""}},
		"doubled quotes":                   {`1,"THE ""BIG"" ONE, LLC",d`, []string{"1", `THE "BIG" ONE, LLC`, "d"}},
		"doubled quotes before a comma":    {`1,"""PILOT,"" LLC",d`, []string{"1", `"PILOT," LLC`, "d"}},
		"doubled quotes at the end":        {`1,"ACME (""AC"")",d`, []string{"1", `ACME ("AC")`, "d"}},
		"bare quotes":                      {`1,"...BOTH "VENTURE CAPITAL FUND" AND...",d`, []string{"1", `...BOTH "VENTURE CAPITAL FUND" AND...`, "d"}},
		"bare quotes at the beginning":     {`1,""BIG" ONE",d`, []string{"1", `"BIG" ONE`, "d"}},
		"bare quotes at the end":           {`1,"ONE "BIG"","d"`, []string{"1", `ONE "BIG"`, "d"}},
		"bare quotes at the line's end":    {`1,2,"ONE "BIG""` + "\n", []string{"1", "2", `ONE "BIG"`}},
		"bare quotes before a comma":       {`1,"THE "BIG", LLC","d"`, []string{"1", `THE "BIG", LLC`, "d"}},
		"bare quotes over two lines":       {"1,\"SAID \"YES\" AND\nWENT\",d\n", []string{"1", "SAID \"YES\" AND\nWENT", "d"}},
		"quotes in a field without quotes": {`1,5" PIPE,d`, []string{"1", `5" PIPE`, "d"}},
	} {
		out := readAll(t, strings.NewReader(c.in), 3)
		require.Empty(t, out.bad, name)
		require.Equal(t, [][]string{c.want}, out.rows, name)
		out = readAll(t, iotest.OneByteReader(strings.NewReader(c.in)), 3)
		require.Equal(t, [][]string{c.want}, out.rows, name)
	}
}

func TestReaderQuarantine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", table.RecordBytesMax)
	for name, c := range map[string]struct {
		in    string
		lines []int // of the good rows
		bad   []string
	}{
		"too few fields":            {"1,a\n2,b,c\n", []int{2}, []string{"1: The row has 2 fields, but the header has 3 | 1,a"}},
		"too many fields":           {"1,a,b,c\r\n2,b,c\n", []int{2}, []string{"1: The row has 4 fields, but the header has 3 | 1,a,b,c"}},
		"blank lines do not count":  {"\n\r\n1,a,b\n\n\n2,b,c\n\n", []int{3, 6}, nil},
		"lines inside quotes count": {"1,\"a\nb\nc\",d\n2,b,c\n", []int{1, 4}, nil},
		"runaway quote": {
			"1,\"a,b\n2,\"x\",c\n3,\"y\",d\n",
			[]int{2, 3},
			[]string{"1: A quote is not closed on its line | 1,\"a,b"},
		},
		"runaway quote to the end": {"1,\"a,b\n2,x,c\n3,y,d\n", []int{2, 3}, []string{"1: A quote is not closed within 64 KiB or 200 lines | 1,\"a,b"}},
		"runaway quote that fits by chance": {
			"1,2,\"HTTP://A\n2,3,\"HTTP://B\"\n",
			[]int{2},
			[]string{"1: A quote is not closed on its line | 1,2,\"HTTP://A"},
		},
		"NUL":      {"1,a\x00,b\n2,b,c\n", []int{2}, []string{"1: The row contains a NUL byte | 1,a\x00,b"}},
		"too long": {"1,a," + long + long + long + "\n2,b,c\n", []int{2}, []string{"1: The row is longer than 64 KiB | 1,a," + long[4:]}},
		"too long to the end": {
			"2,b,c\n" + long + long,
			[]int{1},
			[]string{"2: The row is longer than 64 KiB | " + long},
		},
	} {
		out := readAll(t, strings.NewReader(c.in), 3)
		require.Equal(t, c.lines, out.lines, name)
		require.Equal(t, c.bad, out.bad, name)
	}
}

// TestZeroedBlock: rows in a part of a file that was zeroed are lost, so the file is not read. Zeros behind the last line are none.
func TestZeroedBlock(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("\x00", 512)
	r := table.NewReader(strings.NewReader("1,a,b\n2,"+zeros+"a,b\n9,c,d\n"), func(table.Bad) {})
	r.Expect(3, 3)
	_, err := r.Read()
	require.NoError(t, err)
	_, err = r.Read()
	require.EqualError(t, err, "line 2 has a block of zero bytes. The file is damaged, and rows may be lost")
	require.Equal(t, []int{1, 2}, readAll(t, strings.NewReader("1,a,b\n2,c,d\n"+zeros), 3).lines)
}

// TestReaderResync plants a runaway quote in a large file: only its own line is lost.
func TestReaderResync(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	const rows = 30_000 // several times the buffer
	for i := range rows {
		if i == 15_000 {
			b.WriteString("15000,\"RUNAWAY, LLC,Y,\n")
			continue
		}
		fmt.Fprintf(&b, "%d,\"HALCYON RIDGE \"GROWTH\" FUND %d, L.P.\",\"Y\",\"multi\nline\"\n", i, i)
	}
	out := readAll(t, strings.NewReader(b.String()), 4)
	require.Len(t, out.bad, 1)
	require.Contains(t, out.bad[0], "30001: ")
	require.Len(t, out.rows, rows-1)
	require.Equal(t, 2*rows-2, out.lines[len(out.lines)-1])
}

func TestReaderSourceError(t *testing.T) {
	t.Parallel()
	fault := errors.New("the disk is gone")
	r := table.NewReader(io.MultiReader(strings.NewReader("1,2\n"), iotest.ErrReader(fault)), func(table.Bad) {})
	_, err := r.Read()
	require.ErrorIs(t, err, fault)
}

// TestReaderStandard holds the reader against the standard one: what that writes, this reads back.
func TestReaderStandard(t *testing.T) {
	t.Parallel()
	cell := rapid.StringOf(rapid.SampledFrom([]rune("ab\",\n 1é")))
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(2, 5).Draw(t, "width")
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 1, 20).Draw(t, "rows")
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		require.NoError(t, w.WriteAll(rows))
		out := readAll(t, &b, width)
		require.Empty(t, out.bad)
		require.Equal(t, rows, out.rows)
	})
}

// FuzzReader feeds any bytes: every physical line belongs to one record, one bad row or none (blank), in order.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "\"a\",\"b\"\r\n\"1\"\"\",\"2\"\r\n", "a,b\n\"x \"y\" z\",1\n", "a,b\n\"runaway,1\n2,3\n", "\xef\xbb\xbfa,b", "a\n\n\n", "\"", "\"\"", "\"\n\"", "a,\"b\r", "\r\r\n,\x00\n",
	} {
		f.Add([]byte(seed), 2)
	}
	f.Fuzz(func(t *testing.T, b []byte, expect int) {
		last := 0
		r := table.NewReader(bytes.NewReader(b), func(bad table.Bad) {
			require.Greater(t, bad.Line, last)
			require.NotEmpty(t, bad.Reason)
			last = bad.Line
		})
		r.Expect(expect&7, expect&7)
		for {
			rec, err := r.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			require.Greater(t, rec.Line, last)
			require.NotEmpty(t, rec.Fields)
			if expect&7 > 0 {
				require.Len(t, rec.Fields, expect&7)
			}
			last = rec.Line + bytes.Count(rec.Raw, []byte("\n"))
		}
		require.LessOrEqual(t, last, bytes.Count(b, []byte("\n"))+1)
	})
}
