package moment

import (
	"strconv"
	"time"

	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/wire"
)

// Basis is the source and the price in responses from the index.
//
// Spec: not shown what calculated_at refers to; it is the index's time, which is the age of the response. The request's own
// time would make each response different, and If-None-Match useless.
type Basis struct {
	CalculatedAt string         `json:"calculated_at" format:"date-time" doc:"When the index behind the response was built." example:"2026-11-21T06:00:00.000000Z"`
	Pricing      charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
	AsOf         *string        `json:"as_of,omitempty" format:"date" doc:"Requested day, if any." example:"2025-06-30"`
	KnownAt      *string        `json:"known_at,omitempty" format:"date-time" doc:"Requested time, if any." example:"2025-07-02T06:00:00.000000Z"`
}

// NewBasis is the basis of a response from an index built at an instant, about the day and the instant that Resolve returns.
func NewBasis(built time.Time, pricing charge.Pricing, day, known time.Time) Basis {
	b := Basis{CalculatedAt: httpapi.FormatInstant(built), Pricing: pricing}
	b.AsOf, b.KnownAt = Shown(day, known)
	return b
}

// Shown is the day and the instant that Resolve returns, as answers show them; nil for those that were not asked for.
func Shown(day, known time.Time) (asOf, knownAt *string) {
	if !day.IsZero() {
		asOf = new(day.Format(time.DateOnly))
	}
	if !known.IsZero() {
		knownAt = new(httpapi.FormatInstant(known))
	}
	return asOf, knownAt
}

// Append appends the basis as the last members of an open object.
func (b *Basis) Append(dst []byte) []byte {
	dst = wire.AppendString(append(dst, `"calculated_at":`...), b.CalculatedAt)
	dst = strconv.AppendFloat(append(dst, `,"pricing":{"cost":`...), b.Pricing.Cost, 'f', -1, 64)
	dst = wire.AppendString(append(dst, `,"description":`...), b.Pricing.Description)
	dst = append(dst, '}')
	if b.AsOf != nil {
		dst = wire.AppendString(append(dst, `,"as_of":`...), *b.AsOf)
	}
	if b.KnownAt != nil {
		dst = wire.AppendString(append(dst, `,"known_at":`...), *b.KnownAt)
	}
	return append(dst, '}')
}
