package index_test

import (
	"fmt"
	"strings"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
)

const oracleSchema = `
CREATE EXTENSION fuzzystrmatch;
CREATE SCHEMA diff;
CREATE TABLE diff.states (code text PRIMARY KEY, name text NOT NULL);
CREATE TABLE diff.countries (name text PRIMARY KEY, code text NOT NULL);
CREATE TABLE diff.words (kind text, rec bigint, word text, is_name boolean);
CREATE TABLE diff.names (kind text, rec bigint, name text);
CREATE TABLE diff.norms (raw text PRIMARY KEY, norm text COLLATE "C" NOT NULL, place text);
CREATE TABLE diff.auditor_words (name text, word text);
CREATE TABLE diff.terms (term text PRIMARY KEY);
CREATE TABLE diff.alike (term text, word text);

-- one edit away from the word or from a prefix of it: the prefixes that can be so are at most a letter shorter or longer
CREATE FUNCTION diff.near(term text, word text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
	SELECT EXISTS (
		SELECT FROM generate_series(char_length(term) - 1, char_length(term) + 1) n WHERE levenshtein_less_equal(term, left(word, n), 1) <= 1
	) OR EXISTS (
		SELECT FROM generate_series(1, char_length(term) - 1) i
		WHERE left(word, char_length(term)) =
			left(term, i - 1) || substr(term, i + 1, 1) || substr(term, i, 1) || substr(term, i + 2)
	)
$$;
CREATE FUNCTION diff.class(term text, word text) RETURNS int LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE
		WHEN word = term THEN 0
		WHEN starts_with(word, term) THEN 1
		WHEN char_length(term) >= 3 AND strpos(word, term) > 0 THEN 2
		WHEN char_length(term) >= 5 AND char_length(word) >= char_length(term) - 1 AND diff.near(term, word) THEN 3
	END
$$;
CREATE FUNCTION diff.state_key(norm text) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT coalesce((SELECT name FROM diff.states s WHERE s.code = norm), norm)
$$;`

const oracleClasses = `
CREATE TABLE diff.classes AS
	SELECT * FROM (
		SELECT t.term, w.word, diff.class(t.term, w.word) AS class
		FROM diff.terms t, (SELECT DISTINCT word FROM diff.words) w OFFSET 0 -- so that each pair is classed once
	) c WHERE class IS NOT NULL;
CREATE INDEX ON diff.words (word);
INSERT INTO diff.classes
	SELECT DISTINCT t.term, w.word, 0 FROM diff.terms t JOIN diff.alike a ON a.term = t.term JOIN diff.words w ON w.word = a.word;
CREATE INDEX ON diff.classes (term, word);
CREATE INDEX ON diff.names (name);
UPDATE diff.norms SET place = diff.state_key(norm)
	WHERE raw IN ({states});
CREATE TABLE diff.places AS
	SELECT f.id, s.place AS state, c.norm AS country,
		CASE f.country_code WHEN 'UK' THEN 'GB' ELSE f.country_code END AS code,
		s.place IN (SELECT name FROM diff.states) AS is_us_state
	FROM catalog.funds f LEFT JOIN diff.norms s ON s.raw = f.state LEFT JOIN diff.norms c ON c.raw = f.country;
ALTER TABLE diff.places ADD PRIMARY KEY (id);
ANALYZE`

// statement is a search put into SQL. What depends on the question alone stands in subqueries of its own: those are worked
// out once, not for each record.
type statement struct {
	where []string
	args  []any
}

func (s *statement) arg(v any) string {
	s.args = append(s.args, v)
	return fmt.Sprintf("$%d", len(s.args))
}

func (s *statement) and(format string, values ...any) {
	s.where = append(s.where, s.render(format, values...))
}

func (s *statement) render(format string, values ...any) string {
	names := make([]any, len(values))
	for i, v := range values {
		names[i] = s.arg(v)
	}
	return fmt.Sprintf(format, names...)
}

// asked adds what is asked of a word: to be any of some, and to be known as none of others.
func (s *statement) asked(a index.Asked, same func(word string) string) {
	anyOf := func(words []string) string {
		each := make([]string, len(words))
		for i, w := range words {
			each[i] = same(w)
		}
		return "(" + strings.Join(each, " OR ") + ")"
	}
	if len(a.Any) > 0 {
		s.where = append(s.where, anyOf(a.Any))
	}
	if len(a.None) > 0 {
		s.where = append(s.where, anyOf(a.None)+" IS NOT TRUE")
	}
}

func (s *statement) between(column string, r index.Range) {
	if r.Min != nil {
		s.and(column+" >= %s::bigint", *r.Min)
	}
	if r.Max != nil {
		s.and(column+" <= %s::bigint", *r.Max)
	}
}

// textRank joins the ranks of the records that match the text. The classes come from SQL; see oracleSchema.
func (s *statement) textRank(kind, query string) string {
	terms := text.Terms(query)
	if len(terms) == 0 {
		return "JOIN (SELECT 0::bigint AS rec, 0 AS rank WHERE false) m ON m.rec = "
	}
	k, t, n, full := s.arg(kind), s.arg(terms), s.arg(len(terms)), s.arg(text.Key(query))
	return fmt.Sprintf(`JOIN (
		SELECT rec, CASE WHEN EXISTS (SELECT FROM diff.names n WHERE n.kind = %[1]s AND n.rec = b.rec AND n.name = %[4]s) THEN 0
			ELSE 1 + 2 * max(class) + (max(named) > max(class))::int END AS rank
		FROM (
			SELECT w.rec, t.ord, min(c.class) AS class, coalesce(min(c.class) FILTER (WHERE w.is_name), 9) AS named
			FROM unnest(%[2]s::text[]) WITH ORDINALITY t (term, ord)
			JOIN diff.classes c ON c.term = t.term JOIN diff.words w ON w.word = c.word AND w.kind = %[1]s
			GROUP BY 1, 2
		) b GROUP BY rec HAVING count(*) = %[3]s::int
	) m ON m.rec = `, k, t, n, full)
}

// gpSQL answers a GPQuery with one row: the total, and the page's CRDs as an array.
func gpSQL(q *index.GPQuery) (string, []any) {
	s := &statement{}
	column, order := gpOrder(q)
	from := "catalog.advisers a "
	if q.Order == index.ByName {
		from += "JOIN diff.norms n ON n.raw = a.legal_name "
	}
	if q.Text != "" {
		from += s.textRank("gp", q.Text) + "a.crd::bigint "
	}
	ofFund := &statement{args: s.args}
	for _, f := range gpFilters {
		if f.ofFund {
			f.sql(ofFund, q)
		}
	}
	ofEvent := &statement{args: ofFund.args}
	for _, f := range gpFilters {
		if f.ofEvent {
			f.sql(ofEvent, q)
		}
	}
	s.args = ofEvent.args
	if len(ofEvent.where) > 0 {
		s.where = append(s.where, "EXISTS (SELECT FROM diff.reported e WHERE e.crd = a.crd AND "+strings.Join(ofEvent.where, " AND ")+")")
	}
	if len(ofFund.where) > 0 {
		s.where = append(s.where, "EXISTS (SELECT FROM catalog.funds f WHERE f.adviser_crd = a.crd AND f.status <> 'closed' AND "+
			strings.Join(ofFund.where, " AND ")+")")
	}
	for _, f := range gpFilters {
		if !f.ofFund && !f.ofEvent {
			f.sql(s, q)
		}
	}
	return s.page("a.crd::bigint AS key, "+column, from, order, q.Text != "", q.Limit, q.Offset), s.args
}

// fundSQL answers a FundQuery with one row: the total, and the page's ids as an array.
func fundSQL(q *index.FundQuery) (string, []any) {
	s := &statement{}
	column, order := fundOrder(q)
	from := "catalog.funds f "
	if q.Order == index.ByName {
		from += "JOIN diff.norms n ON n.raw = f.name "
	}
	if len(q.Jurisdictions) > 0 {
		from += "JOIN diff.places p ON p.id = f.id "
	}
	if q.Text != "" {
		from += s.textRank("fund", q.Text) + "f.id"
	}
	if len(q.Words[index.FundStatus].Any) == 0 {
		s.where = append(s.where, "f.status <> 'closed'")
	}
	for _, f := range fundFilters {
		f.sql(s, q)
	}
	return s.page("f.id AS key, "+column, from, order, q.Text != "", q.Limit, q.Offset), s.args
}

func (s *statement) jurisdiction(place string) string {
	code := s.arg(strings.ReplaceAll(strings.ToUpper(place), "UK", "GB"))
	norm := s.arg(text.Normalize(place))
	inCountry := "(p.code = %[1]s OR %[1]s = 'US' AND p.is_us_state)"
	named := "(SELECT code FROM diff.countries WHERE lower(name) = lower(" + s.arg(place) + "))"
	return fmt.Sprintf(`(CASE WHEN char_length(%[1]s) = 2 AND %[1]s IN (SELECT code FROM diff.countries)
		THEN `+inCountry+` ELSE p.state = (SELECT diff.state_key(%[2]s)) OR p.country = %[2]s OR p.code = %[3]s OR %[3]s = 'US' AND p.is_us_state END)`,
		code, norm, named)
}

func (s *statement) page(columns, from, order string, ranked bool, limit, offset int) string {
	if ranked {
		columns += ", m.rank"
	}
	where := ""
	if len(s.where) > 0 {
		where = " WHERE " + strings.Join(s.where, " AND ")
	}
	return fmt.Sprintf("WITH hits AS MATERIALIZED (SELECT %s FROM %s%s) SELECT (SELECT count(*) FROM hits), ARRAY(SELECT key FROM hits ORDER BY %s LIMIT %s::bigint OFFSET %s::bigint)",
		columns, from, where, order, s.arg(limit), s.arg(offset))
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return ""
}

// The sort keys without presorted orders, by their columns.
var (
	gpPicks = map[index.Order]string{
		index.ByRegistered: "a.registered_on", index.ByFounded: "a.founded_year", index.ByLatestFiled: "a.newest_filed_on",
		index.ByTotalGAV: "a.total_gav", index.ByInvestors: "a.total_investors",
		index.ByGrowth1: "a.aum_growth_1y", index.ByGrowth2: "a.aum_growth_2y", index.ByGrowth3: "a.aum_growth_3y", index.ByGrowth5: "a.aum_growth_5y",
		index.ByChange1: "a.aum_latest - a.aum_before_1y", index.ByChange2: "a.aum_latest - a.aum_before_2y",
		index.ByChange3: "a.aum_latest - a.aum_before_3y", index.ByChange5: "a.aum_latest - a.aum_before_5y",
	}
	fundPicks = map[index.Order]string{
		index.ByFirstFiled: "f.first_filed_on", index.ByLatestFiled: "f.latest_filed_on", index.ByInvestors: "f.beneficial_owners_count",
		index.ByClosed: "f.closed_on",
	}
)

// gpOrder is the order of an answer, and the column that it is by.
func gpOrder(q *index.GPQuery) (column, order string) {
	d := direction(q.Desc)
	if column, ok := gpPicks[q.Order]; ok {
		return column + " AS picked", "picked" + d + " NULLS LAST, key"
	}
	switch q.Order {
	case index.BySent:
		return "array_position(ARRAY['" + strings.Join(q.CRDs.Any, "','") + "'], a.crd) AS sent", "sent"
	case index.ByFundCount:
		return "a.fund_count", "fund_count" + d + " NULLS LAST, key"
	case index.ByEmployees:
		return "a.employee_count", "employee_count" + d + " NULLS LAST, key"
	case index.ByAUM:
		return "a.total_aum", "total_aum" + d + " NULLS LAST, key"
	case index.ByRelevance:
		return "a.total_aum", rankFirst(q.Text) + "total_aum DESC NULLS LAST, key"
	default:
		return "n.norm, a.legal_name", "norm" + d + `, legal_name COLLATE "C"` + d + ", key"
	}
}

func fundOrder(q *index.FundQuery) (column, order string) {
	d := direction(q.Desc)
	if column, ok := fundPicks[q.Order]; ok {
		return column + " AS picked", "picked" + d + " NULLS LAST, key"
	}
	switch q.Order {
	case index.BySent:
		return "array_position(ARRAY['" + strings.Join(q.FundIDs, "','") + "'], f.fund_id) AS sent", "sent"
	case index.ByVintage:
		return "f.vintage_year", "vintage_year" + d + " NULLS LAST, key"
	case index.ByGAV:
		return "f.gross_asset_value", "gross_asset_value" + d + " NULLS LAST, key"
	case index.ByRelevance:
		return "f.gross_asset_value", rankFirst(q.Text) + "gross_asset_value DESC NULLS LAST, key"
	default:
		return "n.norm, f.name", "norm" + d + `, name COLLATE "C"` + d + ", key"
	}
}

func rankFirst(query string) string {
	if query == "" {
		return ""
	}
	return "rank, "
}
