package index

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
)

// The schemes of identifiers.
const (
	schemeCRD    = "crd"
	schemeCIK    = "cik"
	schemeSEC    = "sec_number"
	schemeFormD  = "form_d"
	schemeFund   = "fund_id"
	schemeLEI    = "lei"
	schemeDomain = "domain"
	schemePhone  = "phone"
)

// Identified is the identifier that a search text is.
type Identified struct {
	Scheme  string `json:"scheme" enum:"crd,cik,sec_number,form_d,fund_id,lei,domain,phone" doc:"Kind of identifier." example:"sec_number"`
	Value   string `json:"value" doc:"The identifier, as it is compared." example:"801-99001"`
	Matches int    `json:"matches" doc:"Records that have it, or belong to a manager or fund that has it, before filters. They come first. Of an identifier that more than 50 managers share, the 50 largest count." example:"1"`
	Former  int    `json:"former" doc:"The same of former managers and their funds, which the search leaves out." example:"0"`
}

// holdersMax bounds the advisers with one identifier: firms that use one provider of websites can share a domain.
const holdersMax = 50

// identifier is a text read as an identifier.
type identifier struct{ scheme, value string }

// readIdentifiers reads a whole text as an identifier, in the order in which the schemes are looked up. Most texts are none.
func readIdentifiers(q string) []identifier {
	q = strings.TrimSpace(q)
	digits, others := countDigits(q)
	switch {
	case digits == len(q) && digits >= 4 && digits <= 10:
		list := []identifier{{schemeCIK, trimZeros(q)}}
		if q[0] != '0' {
			list = append([]identifier{{schemeCRD, q}}, list...)
		}
		if digits == 10 {
			list = append(list, identifier{schemePhone, phoneKey(q)})
		}
		return list
	case len(q) > 4 && q[3] == '-' && digits == len(q)-1:
		switch q[:3] {
		case "801", "802":
			return []identifier{{schemeSEC, secKey(q)}}
		case "021":
			return []identifier{{schemeFormD, secKey(q)}}
		case "805":
			if len(q) == len("805-0000000000") {
				return []identifier{{schemeFund, q}}
			}
		}
		return nil
	case catalogapi.LEIOf(q) != "":
		return []identifier{{schemeLEI, catalogapi.LEIOf(q)}}
	case others == 0 && (digits == 10 || strings.HasPrefix(q, "+") && digits >= 11 && digits <= 15 || digits == 11 && strings.HasPrefix(phoneDigits(q), "1")):
		return []identifier{{schemePhone, phoneKey(q)}}
	case strings.Contains(q, ".") && !strings.ContainsAny(q, " \t"):
		if !strings.Contains(q, "://") {
			q = "https://" + q
		}
		if domain := derive.WebsiteDomain(q); domain != "" {
			return []identifier{{schemeDomain, domain}}
		}
	}
	return nil
}

// countDigits counts the digits of a text, and the bytes that telephone numbers do not have.
func countDigits(q string) (digits, others int) {
	for i := range len(q) {
		switch c := q[i]; {
		case c >= '0' && c <= '9':
			digits++
		case strings.IndexByte(" +-().", c) < 0:
			others++
		}
	}
	return digits, others
}

func trimZeros(number string) string { return strings.TrimLeft(number, "0") }

// secKey is a file number without zeros after its prefix.
func secKey(number string) string {
	if len(number) < 5 || number[3] != '-' {
		return number
	}
	return number[:4] + trimZeros(number[4:])
}

func phoneDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// phoneKey is the digits of a telephone number, those of North America without the country's 1.
func phoneKey(s string) string {
	d := phoneDigits(s)
	if len(d) == 11 && d[0] == '1' {
		return d[1:]
	}
	return d
}

// identifiers finds records by the 64-bit hashes of their identifiers. The values themselves would take five times the memory. The
// seed is random: two of half a million values have the same hash in about one of 10^8 indexes.
type identifiers struct {
	seed   maphash.Seed
	hashes []uint64 // ascending
	of     []uint32
}

type identified struct {
	hash uint64
	rec  uint32
}

func newIdentifiers(list []identified, seed maphash.Seed) identifiers {
	slices.SortFunc(list, func(a, b identified) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.rec, b.rec)) })
	list = slices.Compact(list)
	ids := identifiers{seed, make([]uint64, len(list)), make([]uint32, len(list))}
	for i, one := range list {
		ids.hashes[i], ids.of[i] = one.hash, one.rec
	}
	return ids
}

func (id identifier) hash(seed maphash.Seed) uint64 {
	return maphash.String(seed, id.scheme+" "+id.value)
}

// holders lists the records with an identifier, in ascending order.
func (ids *identifiers) holders(id identifier) []uint32 {
	if len(ids.hashes) == 0 {
		return nil
	}
	hash := id.hash(ids.seed)
	from, _ := slices.BinarySearch(ids.hashes, hash)
	to := from
	for to < len(ids.hashes) && ids.hashes[to] == hash {
		to++
	}
	return ids.of[from:to]
}

// gpHolders lists the advisers that have an identifier, or a fund with it: the largest, up to holdersMax.
func (s *Snapshot) gpHolders(id identifier) (list []uint32) {
	switch id.scheme {
	case schemeCRD:
		list = found([]string{id.value}, s.gps.byCRD.Find)
	case schemeFund, schemeFormD:
		for _, f := range s.fundHolders(id) {
			if gp, ok := s.FundGP(f); ok {
				list = append(list, gp)
			}
		}
		slices.Sort(list)
		list = slices.Compact(list)
	default:
		list = s.gps.ids.holders(id)
	}
	return list[:min(len(list), holdersMax)]
}

// fundHolders lists the funds with an identifier of funds.
func (s *Snapshot) fundHolders(id identifier) []uint32 {
	switch id.scheme {
	case schemeFund:
		return found([]string{id.value}, s.funds.byFundID.Find)
	case schemeFormD:
		return s.funds.ids.holders(id)
	}
	return nil
}

// fundsOfHolders lists the funds that have an identifier, or an adviser with it.
func (s *Snapshot) fundsOfHolders(id identifier) []uint32 {
	if id.scheme == schemeFund || id.scheme == schemeFormD {
		return s.fundHolders(id)
	}
	var list []uint32
	for _, gp := range s.gpHolders(id) {
		list = append(list, s.funds.slots.ownedBy(gp)...)
	}
	slices.Sort(list)
	return list
}

// identify finds the holders of the identifier that a text is. A number can be one of several schemes: the holders of the
// first come first.
func (s *Snapshot) identify(q string, holders func(s *Snapshot, id identifier) []uint32) (who *Identified, list []uint32) {
	for _, id := range readIdentifiers(q) {
		some, former := holders(s, id), 0
		if s.former != nil {
			former = len(holders(s.former, id))
		}
		if len(some)+former == 0 {
			continue
		}
		if who == nil {
			who = &Identified{Scheme: id.scheme, Value: id.value}
		}
		who.Former += former
		for _, rec := range some {
			if !slices.Contains(list, rec) {
				list = append(list, rec)
			}
		}
	}
	if who != nil {
		who.Matches = len(list)
	}
	return who, list
}

// withHolders is the set of the records that match a text or have it as an identifier.
func withHolders(m *text.Matches, holders []uint32, records int) *column.Set {
	both := column.NewBits(records)
	copy(both, m.Set())
	for _, rec := range holders {
		both.Set(rec)
	}
	return column.BitsSet(both, both.Count())
}

// holdersFirst takes the page of r in order of relevance, after the holders. spare has room for a bit a record.
func holdersFirst(r *column.Result, m *text.Matches, holders []uint32, limit, offset int, spare column.Bits, sc *scratch) (page []uint32) {
	if limit <= 0 || offset >= r.N {
		return nil
	}
	rest := spare
	clear(rest)
	for i := range r.List {
		rest.Set(r.List[i])
	}
	if r.Bits != nil {
		copy(rest, r.Bits)
	}
	var first []uint32
	for _, rec := range holders {
		if r.Has(rec) {
			first = append(first, rec)
			rest.Clear(rec)
		}
	}
	page = append(page, first[min(offset, len(first)):min(offset+limit, len(first))]...)
	others := column.Result{N: r.N - len(first), Bits: rest}
	return append(page, relevant(&others, m, limit-len(page), max(0, offset-len(first)), sc)...)
}
