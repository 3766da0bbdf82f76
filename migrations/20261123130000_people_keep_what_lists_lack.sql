-- +goose Up
-- A list without a column says nothing about the field. Of figures that are stored it is not known which columns their lists had:
-- what they do not state counts as lacking, so that earlier lists fill it in.
ALTER TABLE people.lp_commitments ADD COLUMN lacks text[] NOT NULL DEFAULT '{}';
UPDATE people.lp_commitments SET lacks = array_remove(ARRAY[
	CASE WHEN gp_name IS NULL THEN 'gp_name' END, CASE WHEN vintage_year IS NULL THEN 'vintage_year' END,
	CASE WHEN contributed IS NULL THEN 'contributed' END, CASE WHEN distributed IS NULL THEN 'distributed' END,
	CASE WHEN nav IS NULL THEN 'nav' END, CASE WHEN net_irr_percent IS NULL THEN 'net_irr_percent' END,
	CASE WHEN multiple IS NULL THEN 'multiple' END
], NULL);

-- Until now, other was the kind of LPs of which no list stated one.
ALTER TABLE people.lps ALTER COLUMN entity_type DROP NOT NULL;
UPDATE people.lps SET entity_type = NULL WHERE entity_type = 'other';

-- +goose Down
UPDATE people.lps SET entity_type = 'other' WHERE entity_type IS NULL;
ALTER TABLE people.lps ALTER COLUMN entity_type SET NOT NULL;
ALTER TABLE people.lp_commitments DROP COLUMN lacks;
