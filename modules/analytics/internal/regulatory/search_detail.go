package regulatory

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gpatlas/modules/catalog/catalogapi"
)

// loose is a text that may be sent as a number, a boolean or null; other values are ignored.
type loose string

// UnmarshalJSON never fails.
func (l *loose) UnmarshalJSON(data []byte) error {
	switch {
	case len(data) == 0, string(data) == "null", data[0] == '{', data[0] == '[':
		*l = ""
	case data[0] == '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*l = loose(clean(s))
	default:
		*l = loose(data)
	}
	return nil
}

// clean makes an external text storable: PostgreSQL's JSON accepts no NUL.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) {
			return r
		}
		return -1
	}, s)
	return strings.TrimSpace(s)
}

// cut shortens an external text for an error.
func cut(s string) string {
	const most = 100
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most]) + "…"
	}
	return s
}

// detail is an entry's details, by the folded name of each field: the names vary in spaces and case.
type detail map[string]json.RawMessage

// UnmarshalJSON accepts an object; anything else is empty.
func (d *detail) UnmarshalJSON(data []byte) error {
	var fields map[string]json.RawMessage
	*d = nil
	if !bytes.HasPrefix(data, []byte("{")) {
		return nil
	}
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	*d = make(detail, len(fields))
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names) // of two names that fold to the same the first counts, in every run
	for _, name := range names {
		if _, taken := (*d)[catalogapi.Folded(name)]; !taken {
			(*d)[catalogapi.Folded(name)] = fields[name]
		}
	}
	return nil
}

// text is the first non-empty text of some fields.
func (d detail) text(names ...string) string {
	for _, name := range names {
		var l loose
		if raw, ok := d[catalogapi.Folded(name)]; ok && l.UnmarshalJSON(raw) == nil && l != "" {
			return string(l)
		}
	}
	return ""
}

// parts are the objects of a field with a list of them, or one.
func (d detail) parts(name string) []detail {
	raw := d[catalogapi.Folded(name)]
	var list []detail
	if bytes.HasPrefix(raw, []byte("[")) {
		if json.Unmarshal(raw, &list) != nil {
			return nil
		}
		return list
	}
	var one detail
	if one.UnmarshalJSON(raw) != nil || one == nil {
		return nil
	}
	return []detail{one}
}

// sanctions are those named, lower case, each once.
func (d detail) sanctions() []string {
	list := []string{}
	add := func(text string) {
		if name := strings.ToLower(text); name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	add(d.text("Sanctions"))
	for _, s := range d.parts("SanctionDetails") {
		add(s.text("Sanctions", "Sanction"))
	}
	return list
}

// amount is the sum of the amounts of all sanctions in USD, cents dropped; nil if none has one.
func (d detail) amount() *int64 {
	var sum int64
	found := false
	add := func(text string) {
		if n, ok := dollars(text); ok && sum <= math.MaxInt64-n {
			sum, found = sum+n, true
		}
	}
	add(d.text("Monetary Amount", "Amount"))
	for _, s := range d.parts("SanctionDetails") {
		add(s.text("Amount"))
		for _, inner := range s.parts("SanctionDetails") {
			add(inner.text("Amount"))
		}
	}
	if !found {
		return nil
	}
	return &sum
}

// dollars reads "$5,000.00".
func dollars(text string) (int64, bool) {
	whole, _, _ := strings.Cut(strings.NewReplacer("$", "", ",", "", " ", "").Replace(text), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	return n, err == nil && n >= 0
}

// count is how many matters an entry without details represents.
func (s *searchEntry) count() int {
	n, err := strconv.Atoi(string(s.Count))
	if err != nil || n < 0 || n > math.MaxInt32 {
		return 0
	}
	return n
}

// searchDay parses a calendar day, nil if there is no credible one.
func searchDay(text string) *string {
	day, _, _ := strings.Cut(text, " ")
	for _, layout := range []string{"1/2/2006", time.DateOnly} {
		if t, err := time.Parse(layout, day); err == nil && t.Year() >= 1800 && t.Year() <= 2200 {
			return new(t.Format(time.DateOnly))
		}
	}
	return nil
}
