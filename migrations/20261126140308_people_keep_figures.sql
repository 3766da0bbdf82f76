-- +goose Up
-- The newest figures of an investment: each field is of the latest date whose lists have a column for it. Searches read them, so that
-- they need not fold the dates of every investment.
CREATE TABLE people.lp_figures (
    investment_id         bigint PRIMARY KEY REFERENCES people.lp_investments ON DELETE CASCADE,
    as_of                 date NOT NULL,
    fund_name             text NOT NULL,
    committed             bigint,
    gp_name               text,
    vintage_year          smallint,
    contributed           bigint,
    contributed_as_of     date,
    distributed           bigint,
    distributed_as_of     date,
    nav                   bigint,
    nav_as_of             date,
    net_irr_percent       double precision,
    net_irr_percent_as_of date,
    multiple              double precision,
    multiple_as_of        date
);
INSERT INTO people.lp_figures
SELECT investment_id, max(as_of),
    (array_agg(fund_name ORDER BY as_of DESC))[1], (array_agg(committed ORDER BY as_of DESC))[1],
    (array_agg(gp_name ORDER BY as_of DESC) FILTER (WHERE 'gp_name' <> ALL (lacks)))[1],
    (array_agg(vintage_year ORDER BY as_of DESC) FILTER (WHERE 'vintage_year' <> ALL (lacks)))[1],
    (array_agg(contributed ORDER BY as_of DESC) FILTER (WHERE 'contributed' <> ALL (lacks)))[1], max(as_of) FILTER (WHERE 'contributed' <> ALL (lacks)),
    (array_agg(distributed ORDER BY as_of DESC) FILTER (WHERE 'distributed' <> ALL (lacks)))[1], max(as_of) FILTER (WHERE 'distributed' <> ALL (lacks)),
    (array_agg(nav ORDER BY as_of DESC) FILTER (WHERE 'nav' <> ALL (lacks)))[1], max(as_of) FILTER (WHERE 'nav' <> ALL (lacks)),
    (array_agg(net_irr_percent ORDER BY as_of DESC) FILTER (WHERE 'net_irr_percent' <> ALL (lacks)))[1], max(as_of) FILTER (WHERE 'net_irr_percent' <> ALL (lacks)),
    (array_agg(multiple ORDER BY as_of DESC) FILTER (WHERE 'multiple' <> ALL (lacks)))[1], max(as_of) FILTER (WHERE 'multiple' <> ALL (lacks))
FROM people.lp_commitments
GROUP BY investment_id;
CREATE INDEX lp_figures_vintage ON people.lp_figures (vintage_year);
CREATE INDEX lp_investments_fund ON people.lp_investments (match_fund_id) WHERE match_fund_id IS NOT NULL;
DROP INDEX people.lp_commitments_latest;
ALTER TABLE people.lp_commitments DROP COLUMN latest;

-- +goose Down
ALTER TABLE people.lp_commitments ADD COLUMN latest boolean NOT NULL DEFAULT false;
UPDATE people.lp_commitments c SET latest = true FROM people.lp_figures f WHERE f.investment_id = c.investment_id AND f.as_of = c.as_of;
ALTER TABLE people.lp_commitments ALTER COLUMN latest DROP DEFAULT;
CREATE UNIQUE INDEX lp_commitments_latest ON people.lp_commitments (investment_id) WHERE latest;
DROP INDEX people.lp_investments_fund;
DROP TABLE people.lp_figures;
