package index

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/rowfile"
	"gpatlas/modules/catalog/internal/intern"
)

const disclosedPagesSQL = `SELECT crd, accession, seq, family, coalesce(reference_id, ''), coalesce(case_number, ''), initiator, event_date, text_key,
	coalesce(initiator_type, ''), coalesce(initiated_by, ''), items, coalesce(resolution, status, ''), sanctions, monetary_amount
	FROM catalog.pub_disclosure ORDER BY crd`

// disclosedFilingsSQL are the complete filings of the managers that have disclosed something, in the order in which they were made. Only an archive's
// filing is the whole form.
const disclosedFilingsSQL = `SELECT f.crd, f.accession, f.filing_date, f.silent FROM catalog.pub_filing f
	WHERE f.source = 'adv_archive' AND EXISTS (SELECT FROM catalog.disclosures d WHERE d.crd = f.crd)
	ORDER BY f.version_order`

const disclosedAffiliatesSQL = `SELECT crd, accession, coalesce(reference_id, ''), coalesce(disclosure_type, ''), coalesce(affiliate_crd, ''), coalesce(kind, ''), coalesce(name, '')
	FROM catalog.disclosure_affiliates ORDER BY accession, seq`

//go:embed disclosures_answered.sql
var disclosuresAnsweredSQL string

// loadAnswered reads the CRD numbers of the managers whose newest complete filing states the disclosures of all families.
func loadAnswered(ctx context.Context, from rowfile.Querier) (crds []string, err error) {
	rows, err := from.Query(ctx, disclosuresAnsweredSQL, pgx.NamedArgs{"tables": catalogapi.DisclosureTables()})
	if err == nil {
		crds, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return nil, fmt.Errorf("read filings that state disclosures: %w", err)
	}
	return crds, nil
}

// loadDisclosures reads the events that managers have disclosed.
func loadDisclosures(ctx context.Context, from rowfile.Querier, in intern.Strings) (events []Disclosure, err error) {
	filings, err := byCRD(ctx, from, disclosedFilingsSQL, func(rows pgx.Rows, crd *string, f *catalogapi.DisclosureFiling) error {
		return rows.Scan(crd, &f.Accession, &f.Date, &f.Silent)
	})
	if err != nil {
		return nil, fmt.Errorf("read filings with disclosures: %w", err)
	}
	affiliates, err := byCRD(ctx, from, disclosedAffiliatesSQL, func(rows pgx.Rows, crd *string, a *disclosedAffiliate) error {
		return rows.Scan(crd, &a.accession, &a.referenceID, &a.disclosureType, &a.crd, &a.kind, &a.name)
	})
	if err != nil {
		return nil, fmt.Errorf("read affiliates in disclosures: %w", err)
	}
	rows, err := from.Query(ctx, disclosedPagesSQL)
	if err != nil {
		return nil, fmt.Errorf("read disclosures: %w", err)
	}
	defer rows.Close()
	var of string // the manager whose pages are read
	var pages []disclosedPage
	join := func() {
		for _, e := range disclosed(of, filings[of], pages, affiliates[of]) {
			e.keep(in)
			events = append(events, e)
		}
	}
	for rows.Next() {
		var crd string
		var p disclosedPage
		if err := p.scan(rows, &crd); err != nil {
			return nil, fmt.Errorf("read disclosures: %w", err)
		}
		if crd != of {
			join()
			of, pages = crd, nil
		}
		pages = append(pages, p)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read disclosures: %w", err)
	}
	join()
	sortDisclosures(events)
	return slices.Clip(events), nil
}

// scan reads the page of a row.
func (p *disclosedPage) scan(rows pgx.Rows, crd *string) error {
	var day pgtype.Date
	var kind string
	var items []string
	var amount *int64
	e := &p.event
	err := rows.Scan(crd, &p.Accession, &p.Seq, &p.Family, &p.ReferenceID, &p.CaseNumber, &p.Initiator, &day, &p.TextKey,
		&kind, &e.InitiatedBy, &items, &e.Resolution, &e.Sanctions, &amount)
	if day.Valid {
		e.EventDate, p.EventDate = day.Time, day.Time.Format(time.DateOnly)
	}
	e.Amount = Unknown
	if amount != nil {
		e.Amount = *amount
	}
	e.Type = catalogapi.EventTypeOf(p.Family, kind, e.InitiatedBy, items)
	return err
}

// keep replaces the texts that many events share by one copy of each.
func (e *Disclosure) keep(in intern.Strings) {
	for _, text := range []*string{&e.CRD, &e.InitiatedBy, &e.Resolution, &e.Accession} {
		*text = *in.Keep([]byte(*text))
	}
	for i := range e.Sanctions {
		e.Sanctions[i] = *in.Keep([]byte(e.Sanctions[i]))
	}
	for i := range e.Implicated {
		e.Implicated[i].Name, e.Implicated[i].CRD = *in.Keep([]byte(e.Implicated[i].Name)), *in.Keep([]byte(e.Implicated[i].CRD))
	}
}

// byCRD reads rows of managers, in the order of the statement.
func byCRD[T any](ctx context.Context, from rowfile.Querier, statement string, scan func(rows pgx.Rows, crd *string, into *T) error) (map[string][]T, error) {
	rows, err := from.Query(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := map[string][]T{}
	for rows.Next() {
		var crd string
		var row T
		if err := scan(rows, &crd, &row); err != nil {
			return nil, err
		}
		list[crd] = append(list[crd], row)
	}
	return list, rows.Err()
}
