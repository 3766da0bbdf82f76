package offering

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/platform/database"
)

//go:embed list.sql
var listSQL string

// noticeColumns are those of filed that a notice states, and its stage.
const noticeColumns = `o.accession, o.chain, o.form_type, o.file_number, o.filing_date, o.exemptions, o.first_sale, o.yet_to_occur, o.offering_amount,
	o.indefinite, o.amount_sold, o.amount_remaining, o.investor_count, o.sales_commission, ` + StageSQL + ` AS stage`

// store reads notices of Form D.
type store struct{ db *database.DB }

// list reads the notices of a manager's funds; with fund, of that one alone.
func (s *store) list(ctx context.Context, crd, fund string, today time.Time) ([]filed, error) {
	statement := strings.Replace(listSQL, "{{columns}}", noticeColumns, 1)
	return database.Select[filed](ctx, s.db, "read offerings", statement, database.Args{"crd": crd, "fund": fund, "since": fold.OfferedSince(today)})
}

// manager reports whether there is a manager.
func (s *store) manager(ctx context.Context, crd string) (bool, error) {
	const statement = "SELECT true FROM catalog.advisers WHERE crd = @crd"
	found, err := database.Values[bool](ctx, s.db, "look for a manager", statement, database.Args{"crd": crd})
	return len(found) > 0, err
}

// read reads notices of funds, whose statuses it gets, as of a day.
func (s *store) read(ctx context.Context, accessions, statuses []string, day time.Time) ([]filed, error) {
	const statement = `SELECT {{columns}}, '' AS fund_id, '' AS crd, '' AS matched_by
		FROM catalog.offerings o JOIN unnest(@accessions::text[], @statuses::text[]) f (accession, status) ON f.accession = o.accession`
	args := database.Args{"accessions": accessions, "statuses": statuses, "since": fold.OfferedSince(day)}
	return database.Select[filed](ctx, s.db, "read notices", strings.Replace(statement, "{{columns}}", noticeColumns, 1), args)
}

// byAccession are the offerings of a list.
func byAccession(list []Offering) (accessions []string, at map[string]*Offering) {
	accessions, at = make([]string, len(list)), map[string]*Offering{}
	for i := range list {
		accessions[i], at[list[i].AccessionNumber] = list[i].AccessionNumber, &list[i]
	}
	return accessions, at
}

// complete adds to offerings the other funds that their notices match, and the recipients.
func (s *store) complete(ctx context.Context, list []Offering) error {
	accessions, at := byAccession(list)
	if len(list) == 0 {
		return nil
	}
	type other struct{ Accession, FundID, CRD string }
	const othersSQL = `SELECT l.accession, l.fund_id, f.adviser_crd AS crd FROM catalog.offering_funds l JOIN catalog.funds f USING (fund_id)
		WHERE l.accession = ANY (@accessions) ORDER BY l.accession, l.fund_id`
	others, err := database.Select[other](ctx, s.db, "read funds of offerings", othersSQL, database.Args{"accessions": accessions})
	if err != nil {
		return err
	}
	for _, of := range others {
		if o := at[of.Accession]; of.CRD == o.CRD && of.FundID != o.FundID {
			o.OtherFundIDs = append(o.OtherFundIDs, of.FundID)
		}
	}
	return s.recipients(ctx, list)
}

// recipients adds to offerings the recipients of sales compensation.
func (s *store) recipients(ctx context.Context, list []Offering) error {
	accessions, at := byAccession(list)
	const paidSQL = `SELECT r.accession, r.name, r.crd, r.states, a.legal_name AS manager
		FROM catalog.offering_recipients r LEFT JOIN catalog.advisers a USING (crd) WHERE r.accession = ANY (@accessions) ORDER BY r.accession, r.seq`
	type paid struct {
		Accession string
		recipient
		States []string
	}
	recipients, err := database.Select[paid](ctx, s.db, "read recipients", paidSQL, database.Args{"accessions": accessions})
	if err != nil || len(recipients) == 0 {
		return err
	}
	var crds []string // of the managers whose filings may name a recipient's person
	for _, r := range recipients {
		if crd := at[r.Accession].CRD; derive.NamesFirm(r.Name) && !slices.Contains(crds, crd) {
			crds = append(crds, crd)
		}
	}
	persons, err := history.Persons(ctx, s.db, crds...)
	for _, r := range recipients {
		o := at[r.Accession]
		name := r.shown(persons[o.CRD])
		if name == "" {
			o.RecipientsHidden++
			continue
		}
		o.Recipients = append(o.Recipients, Recipient{name, r.CRD, append([]string{}, r.States...)})
	}
	return err
}

// recipient is who receives sales compensation.
type recipient struct {
	Name    string
	CRD     *string
	Manager *string // the legal name of the manager with the CRD number
}

// shown is the name of the recipient that may be shown where the manager's filings name persons; empty: none. A name without a sign of a firm is
// a person's. If its number is a manager's, the manager's legal name is shown instead.
//
// Spec: not shown; Form D does not state whether a recipient is a person.
func (r *recipient) shown(persons []string) string {
	if derive.ShowsFirm(r.Name, persons) {
		return r.Name
	}
	return catalogapi.TextOf(r.Manager)
}
