package index

import (
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/platform/clock"
)

// The tables of gpfilter.go and fundfilter.go have one row for each filter that compares one value of a record. A row
// names the parameters, the value, and the same value in SQL, where a is catalog.advisers and f is catalog.funds. The
// index builds its columns and conditions from the rows. The tests use the rows to ask the index random questions, and to
// ask PostgreSQL the same questions.

// wordFilter keeps the records whose value is the word asked for, compared as As says. The empty value matches no word.
type wordFilter[R any] struct {
	Param string
	SQL   string
	As    *comparison
	Of    func(r *R) *string
}

// numberFilter keeps the records whose number is in a range. A row without parameters is a value of the record alone,
// for a match to refer to.
type numberFilter[R any] struct {
	Min, Max string // parameters
	Order    Order  // the sort key that the number is; 0 = none
	Pick     Order  // the same for a key without presorted orders, which would take 16 bytes a record
	Coded    bool   // a range looks at each record: no order and no bitsets are kept for it
	SQL      string
	Of       func(r *R) any // *int64, or *time.Time for a day
}

// answerFilter keeps the records with an answer.
type answerFilter[R any] struct {
	Param string
	SQL   string
	Of    func(r *R) *Tri
}

// comparison is which words are the same: those of the same key.
type comparison struct {
	Name string // the tests have SQL for each
	Key  func(word string) string
}

var (
	exactly      = &comparison{"exactly", func(s string) string { return s }}
	ignoringCase = &comparison{"ignoring case", strings.ToUpper}
	normalized   = &comparison{"normalized", text.Normalize}
	asCode       = &comparison{"as a country's code", countryCode}
	asState      = &comparison{"as a state", stateKey}
	asCountry    = &comparison{"as a country", func(s string) string { // two letters are a code, all else a name
		if len(s) == 2 {
			return countryCode(s)
		}
		return text.Normalize(s)
	}}
)

// numberIn reads what a numberFilter points at.
func numberIn(field any) int64 {
	switch v := field.(type) {
	case *int64:
		return *v
	case *time.Time:
		return day(*v)
	}
	panic("index: a number is an int64 or a day")
}

// setNumber writes what numberIn read.
func setNumber(field any, v int64) {
	switch to := field.(type) {
	case *int64:
		*to = v
	case *time.Time:
		*to = time.Time{}
		if v != Unknown {
			*to = clock.DayOf(v)
		}
	}
}

var answerValues = [...]Tri{Any, Yes, No}

// answer points at the answer yes or no, or at Any where it is not known.
func answer(known, yes bool) *Tri {
	switch {
	case !known:
		return &answerValues[Any]
	case yes:
		return &answerValues[Yes]
	}
	return &answerValues[No]
}

// filed are the sets of the records 0…n-1 with the answers Yes and No.
func filed(n int, of func(i uint32) Tri) (sets [3]*column.Set) {
	for _, want := range []Tri{Yes, No} {
		sets[want] = column.SetWhere(n, func(i uint32) bool { return of(i) == want })
	}
	return sets
}

// appendAnswers appends the conditions for the answers asked for.
func appendAnswers(conds []column.Cond, asked []Tri, sets [][3]*column.Set) []column.Cond {
	for id, want := range asked {
		if want != Any {
			conds = append(conds, column.InSet(sets[id][want]))
		}
	}
	return conds
}
