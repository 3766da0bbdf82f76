// Package text is the catalog's own text index: it turns names and places into words, finds the records that match
// a typed query, and says how well. It holds no records itself: callers number them by rank (0 = largest), so that a
// lower number wins among equals.
//
// Matching is defined word by word, so that plain SQL can say the same (the differential test does):
//
//   - Normalize: lower case, diacritics and compatibility forms folded, "&" is the word "and", apostrophes and full
//     stops vanish inside a word ("l.p." = "lp", "o'neil" = "oneil"), every other non-alphanumeric separates words.
//   - Terms of a query: its words, except that letters that stand alone side by side are one term ("d e" is "de"), and a
//     legal form in words is its letters. A full stop between two words parts them ("harbor.vc"), as "ltd" and "limited" at
//     the end of a word do: see cutWords. NameWords of a name or a place: its words, and those that other ways to write it
//     would have; so that a name is found however its initials and numbers are joined.
//   - A term matches a word in a class: exact (0) when equal or in one line of the table of words that say the same
//     (AlikeTo); prefix (1) when the word begins with the term; substring (2) when the term has three letters or more and
//     stands inside the word; fuzzy (3) when the term has five letters or more and is one edit (insert, delete, replace,
//     swap of neighbors) away from the word or from a prefix of the word.
//   - A record matches when every term matches some word of it, in its names or its location; but legal forms behind the
//     first term exclude none, mistyped ones neither (see mendForms). Its class is the worst over the other terms of the best class of each.
//   - Rank, lower is better: 0 when it matches and the query's Key is that of one of its names; else 1 + 2*class, plus one
//     when the names alone would not have reached that class (a match by location stands behind one by name).
//   - For lists that are completed while they are typed there is one rank more, Begins.
//   - A query that finds nothing, or too little, is read more tolerantly: see Matches.loosen.
//   - Among equal ranks those come first that bear the legal forms of the query (see waysToBear), then the lower record numbers.
//   - Index.Strict takes legal forms for terms like others, and reads no query more tolerantly.
package text
