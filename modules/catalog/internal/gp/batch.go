package gp

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
	"gpatlas/platform/ratelimit"
)

const batchText = `Returns the records of up to 200 managers in the order of ` + "`crds`" + `, each as ` + "`GET /v1/gps/{crd}`" + ` returns it. Managers that the catalog does not have, or that have no filing up to the requested moment, are listed in ` + "`meta.unknown`" + `. ` + "`fields`" + ` limits the members of each record. In the rate limits, a request counts as one for each ten managers or part of ten.`

// perRequest is how many managers of a batch count as one request.
const perRequest = 10

// BatchInput asks for many advisers.
type BatchInput struct {
	Body struct {
		CRDs    []string                     `json:"crds" minItems:"1" maxItems:"200" doc:"CRD numbers, 1 to 200. One that stands twice is returned once." example:"[\"900001\",\"900002\"]"`
		Fields  []string                     `json:"fields,omitempty" maxItems:"100" doc:"Members of each record to return (default all)." example:"[\"crd\",\"legal_name\",\"total_aum\"]"`
		Include httpapi.Opt[string]          `json:"include,omitzero" doc:"Parts to add, as in GET /v1/gps/{crd}: provenance." example:"provenance"`
		AsOf    httpapi.Opt[httpapi.Date]    `json:"as_of,omitzero" doc:"The managers as of this day, as in GET /v1/gps/{crd}." example:"2025-06-30"`
		KnownAt httpapi.Opt[httpapi.Instant] `json:"known_at,omitzero" doc:"The managers as they were known at this instant, or at the end of this day, as in GET /v1/gps/{crd}." example:"2026-01-31"`
	}
}

// BatchMeta is the remarks on many advisers.
type BatchMeta struct {
	Unknown []string `json:"unknown" doc:"CRD numbers without a record in the response." example:"[\"4\"]"`
}

// SchemaName is its name in the OpenAPI document.
func (BatchMeta) SchemaName() string { return "GPBatchMeta" }

// batchBody has a GPDetail in each row, or what is chosen of it.
type batchBody = httpapi.DataMeta[[]any, BatchMeta]

func (s *Service) batch(ctx context.Context, in *BatchInput) (*httpapi.Reply[batchBody], error) {
	part, err := in.check()
	if err != nil {
		return nil, err
	}
	if err := ratelimit.Weigh(ctx, (int64(len(in.Body.CRDs))+perRequest-1)/perRequest); err != nil {
		return nil, err
	}
	body := batchBody{Data: []any{}, Meta: BatchMeta{Unknown: []string{}}}
	for i, crd := range in.Body.CRDs {
		if slices.Contains(in.Body.CRDs[:i], crd) {
			continue
		}
		a, said, err := s.Get(ctx, &DetailInput{
			GPPath: catalogapi.GPPath{CRD: crd}, Input: moment.Input{AsOf: in.Body.AsOf, KnownAt: in.Body.KnownAt}, Include: listing.Include{Include: in.Body.Include},
		})
		switch {
		case err != nil && apperr.From(err).Kind == apperr.KindNotFound:
			body.Meta.Unknown = append(body.Meta.Unknown, crd)
		case err != nil:
			return nil, err
		default:
			detail := newGPDetail(a)
			detail.Provenance = said.Sources()
			body.Data = append(body.Data, part.of(&detail))
		}
	}
	return &httpapi.Reply[batchBody]{Body: body}, nil
}

// check returns the chosen part of records, after it has checked the CRD numbers.
func (in *BatchInput) check() (*chosen, error) {
	var faults []apperr.FieldError
	for i, crd := range in.Body.CRDs {
		if !catalogapi.IsCRD(crd) {
			faults = append(faults, apperr.FieldError{Field: fmt.Sprintf("crds[%d]", i), Message: "must be a CRD number: 1 to 10 digits without leading zeros"})
		}
	}
	part, more := choose(in.Body.Fields)
	if faults = append(faults, more...); faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	return part, nil
}

// chosen is a part of the members of a record: a structure that has them alone, in the order of the record.
type chosen struct {
	is reflect.Type
	at []int
}

// choose finds members by name; without names, all of them, which is nil.
func choose(names []string) (*chosen, []apperr.FieldError) {
	if len(names) == 0 {
		return nil, nil
	}
	record := reflect.TypeFor[GPDetail]()
	all := make([]string, record.NumField())
	for i := range all {
		all[i], _, _ = strings.Cut(record.Field(i).Tag.Get("json"), ",")
	}
	var faults []apperr.FieldError
	for i, name := range names {
		if !slices.Contains(all, name) {
			faults = append(faults, apperr.FieldError{Field: fmt.Sprintf("fields[%d]", i), Message: fmt.Sprintf("%.40q is no member of a record%s", name, httpapi.DidYouMean(name, all))})
		}
	}
	c := &chosen{}
	var fields []reflect.StructField
	for i, name := range all {
		if slices.Contains(names, name) {
			c.at, fields = append(c.at, i), append(fields, record.Field(i))
		}
	}
	c.is = reflect.StructOf(fields)
	return c, faults
}

// of returns the chosen fields of a record.
func (c *chosen) of(detail *GPDetail) any {
	if c == nil {
		return detail
	}
	from, to := reflect.ValueOf(detail).Elem(), reflect.New(c.is).Elem()
	for i, at := range c.at {
		to.Field(i).Set(from.Field(at))
	}
	return to.Interface()
}
