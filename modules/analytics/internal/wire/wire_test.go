package wire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/analytics/internal/wire"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/charge"
)

func encoded(tb require.TestingT, v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	require.NoError(tb, encoder.Encode(v))
	return strings.TrimSuffix(b.String(), "\n")
}

// Every string, broken UTF-8 too, is written as encoding/json writes it.
func TestStrings(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "Boston", `"quoted" \ back`, "São Paulo", "北京", "<a> & b", "tab\tline\nnul\x00del\x7f", "\u2028\u2029", "broken \xff\xfe", "é\xff",
	} {
		require.Equal(t, encoded(t, s), string(wire.AppendString(nil, s)))
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
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

func TestBasis(t *testing.T) {
	t.Parallel()
	built := time.Date(2026, time.March, 1, 9, 30, 0, 1, time.FixedZone("", 3600))
	for _, at := range []catalogapi.Moment{
		{},
		{Day: time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC)},
		{Day: time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC), Known: built},
	} {
		for _, micros := range []int64{150_000, 1, 2_000_000} {
			b := wire.NewBasis(built, charge.NewPricing(micros, charge.PerRequest), at)
			require.Equal(t, encoded(t, b), "{"+string(b.Append(nil)))
			require.Equal(t, "2026-03-01T08:30:00Z", b.CalculatedAt)
			require.Equal(t, at.Day.IsZero(), b.AsOf == nil)
			require.Equal(t, at.Known.IsZero(), b.KnownAt == nil)
		}
	}
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
