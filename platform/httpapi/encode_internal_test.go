package httpapi

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type someText string

func (s someText) MarshalText() ([]byte, error) { return []byte("<" + s + ">"), nil }

type embedded struct {
	At time.Time `json:"at"`
}

func encodedHere(tb testing.TB, v any) string {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, encode(&b, v))
	return b.String()
}

// Whatever holds an instant, it has six decimals and is in UTC; what is finer than PostgreSQL keeps is cut off, never rounded up.
func TestInstantsHaveSixDecimals(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 22, 30, 0, 123456999, time.FixedZone("CET", 3600))
	whole := time.Date(2026, 11, 23, 21, 30, 0, 0, time.UTC)
	const text = `"2026-11-23T21:30:00.123456Z"`
	require.Equal(t, text, encodedHere(t, at))
	require.Equal(t, text, `"`+FormatInstant(at)+`"`)
	require.Equal(t, `"2026-11-23T21:30:00.000000Z"`, encodedHere(t, &whole))
	require.JSONEq(t, `{"at":`+text+`}`, encodedHere(t, struct{ embedded }{embedded{at}}))
	require.JSONEq(t, `{"a":[`+text+`,null],"b":`+text+`}`, encodedHere(t, map[string]any{"a": []*time.Time{&at, nil}, "b": at}))
	require.Equal(t, `{}`, encodedHere(t, struct {
		At time.Time `json:"at,omitzero"`
	}{}))
	require.Equal(t, `"2026-11-23"`, encodedHere(t, Date{at}))
}

// All else is as encoding/json writes it without its escapes for HTML.
func TestAnswersAreWrittenAsEncodingJSONDoes(t *testing.T) {
	t.Parallel()
	n := 7
	type inner struct {
		Pointer  *int            `json:"pointer"`
		List     []string        `json:"list"`
		Map      map[string]int  `json:"map"`
		Empty    string          `json:"empty,omitempty"`
		None     []int           `json:"none,omitempty"`
		Zero     int             `json:"zero,omitempty"`
		Bytes    []byte          `json:"bytes"`
		Quoted   int64           `json:"quoted,string"`
		Length   time.Duration   `json:"length"`
		Raw      json.RawMessage `json:"raw"`
		Text     someText        `json:"text"`
		Keys     map[int]bool    `json:"keys"`
		Date     *Date           `json:"date"`
		Dollars  Dollars         `json:"dollars"`
		Any      any             `json:"any"`
		Untagged bool
		Hidden   int `json:"-"`
	}
	for _, v := range []any{
		nil, 1, math.Copysign(0, -1), 1e21, 1e-7, 0.1, 123456789.125, math.MaxInt64, uint64(math.MaxUint64), float32(0.3), "", true, []int(nil), map[string]any(nil),
		struct{}{},
		"<b>&amp;</b>", "line\u2028para\u2029end", "\x00\x01\x1f\x7f\b\f", "🏦 \ufffd", `"\`,
		inner{},
		&inner{
			Pointer: &n, List: []string{}, Map: map[string]int{"z": 1, "a": 2, "<": 3}, Bytes: []byte("<>"), Quoted: 5, Length: time.Second,
			Raw: json.RawMessage(` { "b" : 1.0 , "a":"<\u003c" } `), Text: "x", Keys: map[int]bool{10: true, 9: false}, Date: &Date{}, Dollars: 1250000,
			Any: []any{inner{}, map[string]any{"k": 1.5}, json.RawMessage(`{"x":1,"x":2}`)},
		},
		Problem{Detail: "no <b>"},
	} {
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		require.NoError(t, encoder.Encode(v))
		require.Equal(t, want.String(), encodedHere(t, v)+"\n")
	}
	require.JSONEq(t, `"\ufffd cut \ufffd"`, encodedHere(t, "\xff cut \xe2")) // not escaped; it means the same
	for _, v := range []any{math.NaN(), func() {}, json.RawMessage(`{`), make(chan int)} {
		require.Error(t, encode(&bytes.Buffer{}, v))
	}
}

func BenchmarkEncode(b *testing.B) {
	type row struct {
		ID   int64      `json:"id"`
		Name string     `json:"name"`
		Note *string    `json:"note"`
		At   time.Time  `json:"at"`
		End  *time.Time `json:"end"`
		Rate float64    `json:"rate"`
	}
	at := time.Date(2026, 11, 23, 21, 30, 0, 123456000, time.UTC)
	rows := make([]row, 100)
	for i := range rows {
		rows[i] = row{ID: int64(i), Name: "Aldergate Capital Partners", At: at, End: &at, Rate: 0.25}
	}
	var buf bytes.Buffer
	b.ReportAllocs()
	b.Run("answers", func(b *testing.B) {
		for b.Loop() {
			buf.Reset()
			require.NoError(b, encode(&buf, rows))
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		for b.Loop() {
			buf.Reset()
			require.NoError(b, json.NewEncoder(&buf).Encode(rows))
		}
	})
}
