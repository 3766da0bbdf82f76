package httpapi

// Opt is an optional query parameter of a handler's input: huma has no pointers there. `min_aum` absent and
// `min_aum=0` are different questions.
type Opt[T any] struct {
	Value T
	Set   bool
}

// Get gives the value and whether the caller sent one.
func (o Opt[T]) Get() (T, bool) { return o.Value, o.Set }

// Ptr gives the value, or nil when the caller sent none.
func (o Opt[T]) Ptr() *T {
	if !o.Set {
		return nil
	}
	return &o.Value
}
