// Package text is the catalog's own text index: it turns names and places into words, finds the records that match
// a typed query, and ranks them. It stores no records itself: callers number them by rank (0 = largest), so that a
// lower number wins among equals.
//
// Matching is defined word by word, so that plain SQL can do the same (the differential test does):
//
//   - Normalize: lower case, diacritics and compatibility forms folded, "&" is the word "and", apostrophes and full
//     stops vanish inside a word ("l.p." = "lp", "o'neil" = "oneil"), every other non-alphanumeric separates words.
//   - Terms of a query: its words, except that adjacent single letters are one term ("d e" is "de"), and a legal form in
//     words is its letters. A full stop separates two words ("harbor.vc"), and "ltd" and "limited" at the end of a word
//     are separated from it: see cutWords. NameWords of a name or a place: its words, and those of its other spellings, so
//     that a name is found however its initials and numbers are joined.
//   - A term matches a word in a class: exact (0) when equal or in one line of the table of synonyms (AlikeTo); prefix (1)
//     when the word begins with the term; substring (2) when the term has three letters or more and is inside the word;
//     fuzzy (3) when the term has five letters or more and is one edit (insert, delete, replace,
//     swap of neighbors) away from the word or from a prefix of the word.
//   - A record matches when every term matches some word of it, in its names or its location; but legal forms after the
//     first term exclude no record, even if they are mistyped (see mendForms). Its class is the worst of the best classes of the other terms.
//   - Rank, lower is better: 0 when it matches and the query's Key is that of one of its names; else 1 + 2*class, plus one
//     when the names alone would not have reached that class (a match by location ranks below one by name).
//   - Lists that complete a name while it is typed have another rank, Begins.
//   - A query that finds nothing, or too little, is read more tolerantly: see Matches.loosen.
//   - Among equal ranks, records with the legal forms of the query come first (see waysToBear), then lower record numbers.
//   - Index.Strict treats legal forms like other terms, and reads no query more tolerantly.
package text
