-- +goose Up
-- The whole editions of lists of advisers that were loaded: rosters (roster/registered, roster/exempt) and feeds.
CREATE TABLE catalog.editions (
    series       text NOT NULL,
    day          date NOT NULL,
    processed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (series, day)
);
-- From which edition to which a list named an adviser in every edition that was loaded. Whether it has left the list says
-- the next edition after last_on.
CREATE TABLE catalog.listings (
    crd      text COLLATE "C" NOT NULL,
    series   text NOT NULL,
    first_on date NOT NULL,
    last_on  date NOT NULL,
    PRIMARY KEY (crd, series, first_on),
    CHECK (first_on <= last_on)
);
CREATE INDEX listings_series ON catalog.listings (series, last_on);

-- The day of the first edition that no longer lists the adviser; null = it is listed, or never was.
ALTER TABLE catalog.advisers ADD COLUMN not_listed_since date;

-- +goose Down
ALTER TABLE catalog.advisers DROP COLUMN not_listed_since;
DROP TABLE catalog.listings, catalog.editions;
