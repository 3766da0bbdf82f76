package index

// Forget drops the remembered aggregates, so that a benchmark pays for each of them.
func (s *Snapshot) Forget() {
	s.answers.mu.Lock()
	defer s.answers.mu.Unlock()
	s.answers.known, s.answers.bytes = nil, 0
}

// AnswerBytes is the memory of the remembered aggregates, AnswersBytes its bound.
func (s *Snapshot) AnswerBytes() (n int) {
	s.answers.mu.RLock()
	defer s.answers.mu.RUnlock()
	for key, rows := range s.answers.known {
		n += answerBytes(key, rows)
	}
	return n
}

// AnswersBytes is the bound of AnswerBytes.
const AnswersBytes = answersBytes

// MakeStrict keeps queries that find nothing from being read more tolerantly, which SQL does not say.
func (s *Snapshot) MakeStrict() {
	s.gps.text, s.funds.text = s.gps.text.Strict(), s.funds.text.Strict()
}

// The tables of the filters.
var (
	GPWordFilters      = gpWords[:]
	GPNumberFilters    = gpNumbers[:]
	GPAnswerFilters    = gpAnswers[:]
	FundWordFilters    = fundWords[:]
	FundNumberFilters  = fundNumbers[:]
	FundAnswerFilters  = fundAnswers[:]
	MatchWordFilters   = matchWords[:]
	MatchNumberFilters = matchNumbers[:]
	MatchAnswerFilters = matchAnswers[:]
)

// The types of their rows.
type (
	WordFilter[R any]   = wordFilter[R]
	NumberFilter[R any] = numberFilter[R]
	AnswerFilter[R any] = answerFilter[R]
)

// ColumnTag is the tag of a record's field that names its column.
const ColumnTag = columnTag

// NumberIn reads what a row of numbers points at.
var NumberIn = numberIn

// WordsOf lists the words that a fund is filed under for a row of MatchWordFilters.
func WordsOf(f *Fund, id int) (words []string) {
	matchWords[id].Of(packFlags(f), func(w string) { words = append(words, w) })
	return words
}
