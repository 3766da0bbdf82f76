package index

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// AppendGP appends the JSON of one list item: exactly what encoding/json makes of GPItem, less its escaping of HTML.
// The bytes were rendered when the snapshot was built.
func (s *Snapshot) AppendGP(dst []byte, id uint32) []byte { return append(dst, s.gps.rows.at(id)...) }

// AppendFund appends the JSON of one list item: exactly what encoding/json makes of FundItem, less its escaping of HTML.
// Whole rows would take too much memory; what many funds share was rendered when the snapshot was built.
func (s *Snapshot) AppendFund(dst []byte, id uint32) []byte {
	ix := s.funds
	dst = strconv.AppendInt(append(dst, `{"id":`...), ix.id[id], 10)
	if ix.flags[id]&flagPlain != 0 {
		dst = append(append(dst, `,"fund_id":"`...), ix.fundID.at(id)...)
		dst = append(append(dst, `","name":"`...), ix.name.at(id)...)
		dst = append(dst, '"')
	} else {
		dst = AppendString(append(dst, `,"fund_id":`...), ix.fundID.at(id))
		dst = AppendString(append(dst, `,"name":`...), ix.name.at(id))
	}
	if gp := ix.gp[id]; gp != noGP {
		dst = append(dst, ix.owner.at(gp)...)
	} else {
		dst = append(dst, `,"adviser_crd":"","adviser_name":null`...)
	}
	dst = appendNumber(append(dst, `,"vintage_year":`...), ix.vintage.values[id])
	dst = appendNumber(append(dst, `,"gross_asset_value":`...), ix.gav[id])
	return append(dst, ix.tail.at(ix.tails[id])...)
}

// tailKey is everything that the end of a fund's list item depends on.
type tailKey struct {
	flags                            flags
	strategy, state, country, status uint32
}

// render prepares the parts of list items that funds share.
func (ix *fundIndex) render(gps *gpIndex) {
	ix.owner = newRows(len(gps.all), func(dst []byte, i uint32) []byte {
		g := &gps.all[i]
		dst = AppendString(append(dst, `,"adviser_crd":`...), g.CRD)
		return appendKnown(append(dst, `,"adviser_name":`...), g.LegalName)
	})
	codes, first := map[tailKey]uint32{}, []uint32{}
	ix.tails = make([]uint32, ix.n)
	for i := range uint32(ix.n) {
		key := tailKey{
			ix.flags[i] &^ (flag506B | flag506C | flagOpen | flagPlain),
			ix.strategy.codes[i], ix.state.codes[i], ix.country.codes[i], ix.status.codes[i],
		}
		code, known := codes[key]
		if !known {
			code = uint32(len(first)) // #nosec G115 -- not more than funds
			codes[key] = code
			first = append(first, i)
		}
		ix.tails[i] = code
	}
	ix.tail = newRows(len(first), func(dst []byte, code uint32) []byte { return ix.appendTail(dst, first[code]) })
}

func (ix *fundIndex) appendTail(dst []byte, id uint32) []byte {
	fl := ix.flags[id]
	dst = appendKnown(append(dst, `,"strategy":`...), ix.strategy.at(id))
	dst = append(append(dst, `,"is_3c1":`...), triJSON[fl.tri(flag3C1)]...)
	dst = append(append(dst, `,"is_3c7":`...), triJSON[fl.tri(flag3C7)]...)
	dst = append(append(dst, `,"is_master":`...), triJSON[fl.tri(flagMaster)]...)
	dst = append(append(dst, `,"is_feeder":`...), triJSON[fl.tri(flagFeeder)]...)
	place := ix.state.at(id)
	if place == "" {
		place = ix.country.at(id)
	}
	dst = appendKnown(append(dst, `,"jurisdiction":`...), place)
	dst = AppendString(append(dst, `,"status":`...), ix.status.at(id))
	dst = append(append(dst, `,"has_auditor":`...), triJSON[fl.audited()]...)
	return append(dst, '}')
}

func appendGPItem(dst []byte, g *GP) []byte {
	dst = AppendString(append(dst, `{"crd":`...), g.CRD)
	dst = AppendString(append(dst, `,"legal_name":`...), g.LegalName)
	dst = appendKnown(append(dst, `,"business_name":`...), g.BusinessName)
	dst = appendKnown(append(dst, `,"city":`...), g.City)
	dst = appendKnown(append(dst, `,"state":`...), g.State)
	dst = appendKnown(append(dst, `,"country":`...), g.Country)
	dst = appendKnown(append(dst, `,"country_code":`...), g.CountryCode)
	dst = appendNumber(append(dst, `,"total_aum":`...), g.TotalAUM)
	dst = appendKnown(append(dst, `,"primary_strategy":`...), g.PrimaryStrategy)
	dst = appendKnown(append(dst, `,"manager_type":`...), g.ManagerType)
	dst = appendNumber(append(dst, `,"employee_count":`...), g.Employees)
	dst = appendNumber(append(dst, `,"fund_count":`...), g.FundCount)
	dst = strconv.AppendInt(append(dst, `,"canonical_gp_id":`...), g.CanonicalID, 10)
	dst = appendKnown(append(dst, `,"registration_status":`...), g.RegistrationStatus)
	dst = appendKnown(append(dst, `,"website":`...), g.Website)
	dst = append(dst, `,"latest_filing_date":`...)
	if g.LatestFiledOn.IsZero() {
		dst = append(dst, "null"...)
	} else {
		dst = appendDay(dst, g.LatestFiledOn)
	}
	if !g.WithdrawnOn.IsZero() {
		dst = appendDay(append(dst, `,"withdrawn_on":`...), g.WithdrawnOn)
	}
	if !g.NotListedSince.IsZero() {
		dst = appendDay(append(dst, `,"not_listed_since":`...), g.NotListedSince)
	}
	return append(dst, '}')
}

func appendDay(dst []byte, t time.Time) []byte {
	return append(t.UTC().AppendFormat(append(dst, '"'), dateLayout), '"')
}

// newRows renders n rows into one arena.
func newRows(n int, render func(dst []byte, i uint32) []byte) rowBytes {
	r := rowBytes{ends: make([]int, n)}
	for i := range uint32(n) {
		r.data = render(r.data, i)
		r.ends[i] = len(r.data)
	}
	r.data = slices.Clone(r.data) // without the room that it grew for more
	return r
}

// rowBytes is a column of rendered rows in one arena.
type rowBytes struct {
	data []byte
	ends []int
}

func (r *rowBytes) at(i uint32) []byte {
	start := 0
	if i > 0 {
		start = r.ends[i-1]
	}
	return r.data[start:r.ends[i]]
}

var triJSON = [3]string{Any: "null", Yes: "true", No: "false"}

func appendNumber(dst []byte, v int64) []byte {
	if v == Unknown {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, v, 10)
}

func appendKnown(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return AppendString(dst, s)
}

// plain marks the bytes that stand in a JSON string as they are.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// isPlain says whether s stands in a JSON string as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if !plain[s[i]] {
			return false
		}
	}
	return true
}

// AppendString appends s as a JSON string, as encoding/json does without its escaping of HTML: control characters,
// U+2028 and U+2029 are escaped, invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if size > 1 && r != '\u2028' && r != '\u2029' {
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscaped(dst, r)
		i += size
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

func appendEscaped(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case utf8.RuneError:
		return append(dst, `\ufffd`...)
	case '\u2028', '\u2029':
		return append(dst, '\\', 'u', '2', '0', '2', hex[r&0xf])
	}
	return append(dst, '\\', 'u', '0', '0', hex[r>>4&0xf], hex[r&0xf]) // a control character
}
