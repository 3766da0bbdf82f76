package load

import (
	"context"
	"io"
)

// stageOfferings drains the document's sequences into the temporary tables of Form D.
func (s *session) stageOfferings(ctx context.Context, st *offeringStaging) error {
	if err := s.run(ctx, "formd_stage"); err != nil {
		return err
	}
	d := st.doc
	if err := drainInto(ctx, s, temporary("s_offering"), d.Offerings, st.offering); err != nil {
		return err
	}
	if err := drainInto(ctx, s, temporary("s_issuer"), d.Issuers, st.issuer); err != nil {
		return err
	}
	if err := drainInto(ctx, s, temporary("s_person"), d.RelatedPersons, st.person); err != nil {
		return err
	}
	if err := drainInto(ctx, s, temporary("s_recipient"), d.Recipients, st.recipient); err != nil {
		return err
	}
	no := 0
	digests := &feed{more: func(r *rowBuffer) error {
		if no == len(st.notices) {
			return io.EOF
		}
		r.begin()
		r.integer(int64(no))
		r.bytes(st.notices[no].all.bytes())
		r.end()
		no++
		return nil
	}}
	if err := s.copyIn(ctx, temporary("s_offering_digest"), digests); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE s_offering; ANALYZE s_offering_digest; ANALYZE s_issuer; ANALYZE s_person; ANALYZE s_recipient")
}
