package load

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// tagWithdrawal marks withdrawals in fingerprints.
const tagWithdrawal byte = 41

// loadWithdrawals loads a document of Forms ADV-W. Each is a filing of its own and becomes no version of its adviser: what
// a form said last stands, and so does latest_accession, the filing that the answers rest on. One of an adviser that we
// never saw is kept for the day on which an older form of it comes.
func (l *Loader) loadWithdrawals(ctx context.Context, doc catalogapi.Document, opts catalogapi.LoadOptions) (r catalogapi.LoadResult, err error) {
	err = l.exclusively(ctx, func(ctx context.Context, s *session) error {
		st := newStaging(doc, opts)
		if err := s.stageWithdrawals(ctx, st); err != nil {
			return err
		}
		r = catalogapi.LoadResult{RowsRead: st.rows}
		if err := s.accept(ctx, st); err != nil {
			return err
		}
		if err := s.run(ctx, "withdrawals", "$document$", literal(doc.Name), "$run$", strconv.FormatInt(opts.RunID, 10)); err != nil {
			return err
		}
		if err := s.run(ctx, "withdrawn"); err != nil {
			return err
		}
		if err := s.run(ctx, "withdraw_advisers"); err != nil {
			return err
		}
		if err := s.countWithdrawals(ctx, st, &r); err != nil {
			return err
		}
		if r.FilingsNew+r.FilingsChanged == 0 {
			return nil
		}
		r.Published = true
		return s.publish(ctx, opts.RunID, "ingested "+doc.Name)
	})
	if err != nil {
		return catalogapi.LoadResult{}, err
	}
	return r, nil
}

func (s *session) stageWithdrawals(ctx context.Context, st *staging) error {
	err := s.run(ctx, "stage_withdrawals")
	if err != nil {
		return err
	}
	if err := drainInto(ctx, s, temporary("s_withdrawal"), st.doc.Withdrawals, st.withdrawal); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE s_withdrawal")
}

func (s *session) countWithdrawals(ctx context.Context, st *staging, r *catalogapi.LoadResult) error {
	var same, advisers int64
	err := s.one(ctx, "count_withdrawals", nil, &r.FilingsNew, &r.FilingsChanged, &same, &advisers, &r.AdvisersChanged)
	if err != nil {
		return fmt.Errorf("catalog load: count withdrawals: %w", err)
	}
	r.FilingsUnchanged = same + st.duplicates
	r.AdvisersUnchanged = advisers - r.AdvisersChanged
	return nil
}

// withdrawalFault says why a withdrawal cannot be loaded, or nothing.
func withdrawalFault(w *catalogapi.WithdrawalRow) string {
	switch {
	case !isCRD(w.CRD):
		return "CRD Number " + strconv.Quote(w.CRD) + " is not 1 to 10 digits without leading zeros"
	case !isNumber(w.FilingID, 18):
		return "Filing ID " + strconv.Quote(w.FilingID) + " is not a number"
	case w.Submitted.IsZero():
		return "Filing Date is missing"
	case w.Submitted.Year() < 1900 || w.Submitted.Year() > lastYear:
		return "Filing Date " + w.Submitted.Format(time.DateOnly) + " cannot be right"
	}
	return ""
}

// withdrawal checks a withdrawal and appends its row. Of two rows with one key the first stays; a later one that says
// otherwise is refused.
func (s *staging) withdrawal(r *rowBuffer, w *catalogapi.WithdrawalRow) error {
	s.read()
	raw := []string{w.CRD, w.FilingID, w.LegalName}
	if fault := withdrawalFault(w); fault != "" {
		s.reject(w.File, w.Line, raw, "%s", fault)
		return nil
	}
	if len(s.filings) == math.MaxInt32 {
		return errTooMany
	}
	name := "ADVW-" + w.CRD + "-" + w.FilingID
	r.begin()
	r.texts(name, w.CRD, w.FilingID)
	r.date(w.Submitted)
	r.instant(w.Submitted)
	r.flag(w.Full)
	r.optFlag(w.Ceased)
	r.credibleDate(w.CeasedOn)
	r.text(w.Reason)
	row := r.fingerprint(tagWithdrawal, r.start)
	if first, taken := s.byAccess[name]; taken {
		r.drop()
		s.repeated++
		if s.filings[first].own == row {
			s.duplicates++
			return nil
		}
		s.reject(w.File, w.Line, raw, "%s has an earlier row with other values in this document", name)
		return nil
	}
	r.bytes(row.bytes())
	r.end()
	s.byAccess[name] = int32(len(s.filings)) // its length is checked above
	s.filings = append(s.filings, filingState{own: row})
	s.crds[strings.Clone(w.CRD)] = struct{}{}
	return nil
}
