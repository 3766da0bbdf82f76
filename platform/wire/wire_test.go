package wire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/wire"
)

func encoded(tb require.TestingT, v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	require.NoError(tb, encoder.Encode(v))
	return strings.TrimSuffix(b.String(), "\n")
}

var oddStrings = []string{
	"", "plain", `quote " and \ backslash`, "tab\tnewline\nreturn\rback\bfeed\f", "\x00\x01\x1f\x7f", "<b>&amp;</b>",
	"line\u2028para\u2029end", "Zürich Ōsaka 北京 🏦", "\xff\xfe", "cut \xe2\x82", "\ufffd", "\u200b\u202e", "a\xc0\xafb", "'", "/",
}

// Every string, broken UTF-8 too, is written as encoding/json writes it.
func FuzzAppendString(f *testing.F) {
	for _, s := range oddStrings {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		require.Equal(t, encoded(t, s), string(wire.AppendString(nil, s)))
		tail := wire.EscapeTail(append([]byte(`"`), s...), 1)
		require.Equal(t, encoded(t, s), string(append(tail, '"')))
	})
}

func TestUnknownIsNull(t *testing.T) {
	t.Parallel()
	require.Equal(t, "null", string(wire.AppendKnown(nil, "")))
	require.Equal(t, `"x"`, string(wire.AppendKnown(nil, "x")))
	require.Equal(t, "null", string(wire.AppendNumber(nil, nil)))
	require.Equal(t, "-7", string(wire.AppendNumber(nil, new(int64(-7)))))
}

// What has been answered once stays as it was while its buffer is not released.
func TestWrite(t *testing.T) {
	t.Parallel()
	first := wire.Write[struct{}](func(b []byte) []byte { return append(b, `{"n":1}`...) })
	second := wire.Write[struct{}](func(b []byte) []byte { return append(b, `{"n":2}`...) })
	require.Equal(t, `{"n":1}`, string(first.Raw))
	require.Equal(t, `{"n":2}`, string(second.Raw))
	first.Release()
	second.Release()
}
