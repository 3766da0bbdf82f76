package storedhistory

import "gpatlas/modules/catalog/catalogapi"

// encodeFunds writes the funds, each with its values.
func encodeFunds(r *Row) []byte {
	w := &writer{}
	w.count(len(r.Standing.Funds))
	for i := range r.Standing.Funds {
		f := &r.Standing.Funds[i]
		for _, text := range []string{f.FundID, f.Name} {
			w.text(text)
		}
		for _, word := range []string{f.Strategy, f.Status, string(f.VintageQuality), string(f.Vehicle)} {
			w.word(word)
		}
		w.number(f.VintageYear)
		w.optional(f.GAV)
		w.date(f.FirstFiledOn)
		w.count(len(f.Values))
		for _, v := range f.Values {
			w.date(v.FiledOn)
			w.number(v.GAV)
		}
	}
	return w.buf
}

// DecodeFunds reads the funds, by Fund ID.
func DecodeFunds(part []byte) ([]catalogapi.FundState, error) {
	r := newReader(part, "")
	n := r.count()
	if n == 0 {
		return nil, r.end()
	}
	funds := make([]catalogapi.FundState, n)
	for i := range funds {
		f := &funds[i]
		f.FundID, f.Name = r.text(), r.text()
		f.Strategy, f.Status, f.VintageQuality = r.word(), r.word(), catalogapi.VintageQuality(r.word())
		f.Vehicle = catalogapi.Vehicle(r.word())
		f.VintageYear = r.number()
		f.GAV = r.optional()
		f.FirstFiledOn = r.date()
		if n := r.count(); n > 0 {
			f.Values = make([]catalogapi.FundValue, n)
		}
		for k := range f.Values {
			f.Values[k].FiledOn = r.date()
			f.Values[k].GAV = r.number()
		}
	}
	return funds, r.end()
}
