package load

import (
	"bytes"
	"context"

	"gpatlas/modules/catalog/internal/fold"
)

// place fills t_chain with the form and the kind of amendment of filings, a table that holds all of the advisers in question, by fold.Place.
func (s *session) place(ctx context.Context, filings string) error {
	err := s.exec(ctx, "places", `CREATE TEMP TABLE t_chain (accession text COLLATE "C", form_type text, amendment_type text) ON COMMIT DROP`)
	if err != nil {
		return err
	}
	in, err := open(ctx, s, "place_filings", func(row *fold.Placing) string { return row.CRD }, "$filings$", filings)
	if err != nil {
		return err
	}
	var out rowBuffer
	for {
		next, err := in.peek(ctx)
		if err != nil {
			return err
		}
		if next == nil || len(out.buf) > foldBytes {
			if err := s.copyIn(ctx, "t_chain", bytes.NewReader(out.buf)); err != nil {
				return err
			}
			out.buf = out.buf[:0]
		}
		if next == nil {
			break
		}
		var forms []fold.Placing
		if err := in.of(ctx, next.CRD, func(row *fold.Placing) { forms = append(forms, *row) }); err != nil {
			return err
		}
		fold.Place(forms)
		for i := range forms {
			out.rowOf(forms[i].Accession, forms[i].FormType, forms[i].Amendment)
		}
	}
	if err := in.close(ctx); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE t_chain")
}
