package load

import (
	"context"
	"io"
	"strconv"

	"gpatlas/modules/catalog/catalogapi"
)

// first is a first load: as long as every filing is new, there is nothing to compare with, so that documents go straight
// into the catalogue's tables. It ends with the first document that has a filing of an earlier one, and with the batch.
type first struct {
	known map[string]struct{} // the filings of its documents, also of those that failed
}

// straight says whether a document goes straight into the catalogue's tables. Where it is the first that does not, those
// before it are brought to where the merge expects them.
func (b *batch) straight(ctx context.Context, p *prepared) (bool, error) {
	if b.first == nil {
		return false, nil
	}
	select {
	case <-p.listed:
	case <-p.script.done:
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	select {
	case <-p.listed:
	default: // reading has failed
		return true, nil
	}
	for name := range p.st.byAccess {
		if _, known := b.first.known[name]; known {
			return false, b.settle(ctx)
		}
	}
	for name := range p.st.byAccess {
		b.first.known[name] = struct{}{}
	}
	return true, nil
}

// newDocument loads a document of new filings into tables that have no others, and notes for the end of the batch whom it
// names.
func (s *session) newDocument(ctx context.Context, no int, p *prepared) (r catalogapi.LoadResult, err error) {
	if err := s.perform(ctx, p.script, true); err != nil {
		return r, err
	}
	p.Close() // it is complete: the staging is ours now
	st := p.st
	if err := st.accept(ctx); err != nil {
		return r, err
	}
	r = st.result(merged{filingsNew: int64(len(st.filings))})
	if !r.Published {
		return r, nil
	}
	s.loading = true
	var advisers, funds rowBuffer
	for crd := range st.crds {
		advisers.note(no, func() { advisers.plain(crd) })
	}
	for fund := range st.fundsNamed {
		funds.note(no, func() { funds.fundID(fund) })
	}
	if err := s.copyIn(ctx, temporary("b_adviser"), &feed{rows: advisers, err: io.EOF}); err != nil {
		return r, err
	}
	return r, s.copyIn(ctx, temporary("b_fund"), &feed{rows: funds, err: io.EOF})
}

// note appends a row of b_adviser or b_fund.
func (r *rowBuffer) note(no int, key func()) {
	r.begin()
	key()
	r.plain(strconv.Itoa(no))
	r.flag(true)
	r.end()
}

// settle ends a first load: the filings get their places among their advisers' and their keys.
func (b *batch) settle(ctx context.Context) error {
	if b.first == nil {
		return nil
	}
	b.first = nil
	for _, step := range []string{"chain", "insert_filings"} {
		if err := b.s.run(ctx, step, "$filings$", "b_filing"); err != nil {
			return err
		}
	}
	if err := b.build(ctx, keyTables()...); err != nil {
		return err
	}
	return b.s.exec(ctx, "first load", "TRUNCATE b_filing; DROP TABLE t_chain; ANALYZE catalog.filings, catalog.adviser_versions, catalog.fund_versions, catalog.affiliates")
}
