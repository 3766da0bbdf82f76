-- +goose Up
-- What lists state of an LP, by day. people.lps has the latest values: when a list takes a day back, the values of that day go, too.
CREATE TABLE people.lp_listings (
	lp_id       bigint NOT NULL REFERENCES people.lps ON DELETE CASCADE,
	as_of       date NOT NULL,
	run_id      bigint NOT NULL, -- the ingestion that stated it last
	name        text NOT NULL,
	entity_type text CHECK (entity_type IN
		('pension', 'endowment', 'family_office', 'fund_of_funds', 'insurance', 'sovereign_wealth', 'corporate', 'other')),
	pension     boolean NOT NULL, -- the list calls all of its LPs pensions
	city        text,
	country     text,
	PRIMARY KEY (lp_id, as_of)
);
-- Of earlier lists only the latest values are known.
INSERT INTO people.lp_listings (lp_id, as_of, run_id, name, entity_type, pension, city, country)
SELECT l.id, l.as_of, c.run_id, l.name, l.entity_type, false, l.city, l.country
FROM people.lps l
JOIN LATERAL (
	SELECT max(c.run_id) AS run_id
	FROM people.lp_investments i JOIN people.lp_commitments c ON c.investment_id = i.id
	WHERE i.lp_id = l.id AND c.as_of = l.as_of
) c ON c.run_id IS NOT NULL;
CREATE INDEX lp_commitments_run ON people.lp_commitments (run_id);

-- +goose Down
DROP INDEX people.lp_commitments_run;
DROP TABLE people.lp_listings;
