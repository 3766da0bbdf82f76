// Package itertest makes the sequences of rows that tests load, such as those of a catalogapi.Document.
package itertest

import "iter"

// Rows is the sequence of some values.
func Rows[T any](values ...T) iter.Seq2[T, error] { return Broken(nil, values...) }

// Broken is the sequence of some values that ends with an error; nil ends it as [Rows] does.
func Broken[T any](end error, values ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range values {
			if !yield(v, nil) {
				return
			}
		}
		if end != nil {
			var zero T
			yield(zero, end)
		}
	}
}
