package index

import (
	"cmp"
	"strconv"
	"time"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/platform/clock"
	"gpatlas/platform/wire"
)

// AppendGP appends the JSON of one list item: exactly what encoding/json makes of GPItem, less its escaping of HTML.
// The bytes were rendered when the snapshot was built.
func (s *Snapshot) AppendGP(dst []byte, id uint32) []byte { return append(dst, s.gps.rows.At(id)...) }

// AppendGPRegistered appends what AppendGP does, with the registration.
func (s *Snapshot) AppendGPRegistered(dst []byte, id uint32) []byte {
	g := &s.gps.all[id]
	dst = s.AppendGP(dst, id)
	dst = append(dst[:len(dst)-1], `,"registered_on":`...)
	if g.RegisteredOn.IsZero() {
		dst = append(dst, "null"...)
	} else {
		dst = appendDay(dst, g.RegisteredOn)
	}
	dst = AppendNumber(append(dst, `,"founded_year":`...), g.FoundedYear)
	dst = wire.AppendKnown(append(dst, `,"sec_number":`...), g.SECNumber)
	return append(dst, '}')
}

// AppendFund appends the JSON of one list item: exactly what encoding/json makes of FundItem, less its escaping of HTML.
// Whole rows would take too much memory; what many funds share was rendered when the snapshot was built.
func (s *Snapshot) AppendFund(dst []byte, id uint32) []byte {
	ix := s.funds
	dst = strconv.AppendInt(append(dst, `{"id":`...), ix.id[id], 10)
	if ix.flags[id]&flagPlain != 0 {
		dst = append(append(dst, `,"fund_id":"`...), ix.fundID.At(id)...)
		dst = append(append(dst, `","name":"`...), ix.name.At(id)...)
		dst = append(dst, '"')
	} else {
		dst = wire.AppendString(append(dst, `,"fund_id":`...), ix.fundID.At(id))
		dst = wire.AppendString(append(dst, `,"name":`...), ix.name.At(id))
	}
	if gp := ix.gp[id]; gp != noGP {
		dst = append(dst, ix.owner.At(gp)...)
	} else {
		dst = append(dst, `,"adviser_crd":"","adviser_name":null`...)
	}
	dst = AppendNumber(append(dst, `,"vintage_year":`...), ix.values[FundVintage][id])
	dst = AppendNumber(append(dst, `,"gross_asset_value":`...), ix.gav[id])
	dst = append(dst, ix.tail.At(ix.tails[id])...)
	if closed := ix.coded[FundClosed].At(id); closed != Unknown {
		dst = append(dst[:len(dst)-1], `,"closed_between":{"after":`...)
		dst = appendDay(dst, clock.DayOf(ix.value(FundLatestFiled, id)))
		dst = append(appendDay(append(dst, `,"before":`...), clock.DayOf(closed)), "}}"...)
	}
	return dst
}

// render prepares the parts of list items that funds share.
func (ix *fundIndex) render(gps *gpIndex) {
	ix.owner = column.NewBytes(len(gps.all), func(dst []byte, i uint32) []byte {
		g := &gps.all[i]
		dst = wire.AppendString(append(dst, `,"adviser_crd":`...), g.CRD)
		return wire.AppendKnown(append(dst, `,"adviser_name":`...), g.LegalName)
	})
	columns := []*column.Dict{&ix.strategy, &ix.state, &ix.country, &ix.words[FundStatus], &ix.words[FundQuality]}
	var first []uint32
	ix.tails, first = column.Combined(ix.n, func(i uint32) uint64 {
		key := uint64(ix.flags[i] & flagAnswers)
		for _, d := range columns {
			key = key*uint64(len(d.Words)) + uint64(d.Codes[i])
		}
		return key
	})
	ix.tail = column.NewBytes(len(first), func(dst []byte, code uint32) []byte { return ix.appendTail(dst, first[code]) })
}

func (ix *fundIndex) appendTail(dst []byte, id uint32) []byte {
	fl := ix.flags[id]
	dst = wire.AppendKnown(append(dst, `,"strategy":`...), ix.strategy.At(id))
	dst = append(append(dst, `,"is_3c1":`...), triJSON[fl.tri(Fund3C1)]...)
	dst = append(append(dst, `,"is_3c7":`...), triJSON[fl.tri(Fund3C7)]...)
	dst = append(append(dst, `,"is_master":`...), triJSON[fl.tri(FundIsMaster)]...)
	dst = append(append(dst, `,"is_feeder":`...), triJSON[fl.tri(FundIsFeeder)]...)
	dst = wire.AppendKnown(append(dst, `,"jurisdiction":`...), cmp.Or(ix.state.At(id), ix.country.At(id)))
	dst = wire.AppendString(append(dst, `,"status":`...), ix.words[FundStatus].At(id))
	dst = append(append(dst, `,"has_auditor":`...), triJSON[fl.tri(FundHasAuditor)]...)
	dst = wire.AppendString(append(dst, `,"vintage_quality":`...), ix.words[FundQuality].At(id))
	return append(dst, '}')
}

func appendGPItem(dst []byte, g *GP) []byte {
	dst = wire.AppendString(append(dst, `{"crd":`...), g.CRD)
	dst = wire.AppendString(append(dst, `,"legal_name":`...), g.LegalName)
	dst = wire.AppendKnown(append(dst, `,"business_name":`...), g.BusinessName)
	dst = wire.AppendKnown(append(dst, `,"city":`...), g.City)
	dst = wire.AppendKnown(append(dst, `,"state":`...), g.State)
	dst = wire.AppendKnown(append(dst, `,"country":`...), g.Country)
	dst = wire.AppendKnown(append(dst, `,"country_code":`...), g.CountryCode)
	dst = AppendNumber(append(dst, `,"total_aum":`...), g.TotalAUM)
	dst = wire.AppendKnown(append(dst, `,"primary_strategy":`...), g.PrimaryStrategy)
	dst = wire.AppendKnown(append(dst, `,"manager_type":`...), g.ManagerType)
	dst = AppendNumber(append(dst, `,"employee_count":`...), g.Employees)
	dst = AppendNumber(append(dst, `,"fund_count":`...), g.FundCount)
	dst = strconv.AppendInt(append(dst, `,"canonical_gp_id":`...), g.CanonicalID, 10)
	dst = wire.AppendKnown(append(dst, `,"registration_status":`...), g.RegistrationStatus)
	dst = wire.AppendKnown(append(dst, `,"website":`...), g.Website)
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

var triJSON = [3]string{Any: "null", Yes: "true", No: "false"}

// AppendNumber appends a number, or null for Unknown.
func AppendNumber(dst []byte, v int64) []byte {
	if v == Unknown {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, v, 10)
}
