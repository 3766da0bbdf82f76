-- +goose Up
-- The advisers that loads have changed, with their funds, since saved searches were compared last: see modules/catalog/internal/gp/differ.go.
CREATE TABLE catalog.changed_advisers (
	arrival bigint NOT NULL,
	crd text COLLATE "C" NOT NULL,
	PRIMARY KEY (arrival, crd)
);

-- What searches read of each adviser, as it was compared last. An adviser that is missing here was not in the catalog then.
CREATE TABLE catalog.compared_advisers (
	crd text COLLATE "C" PRIMARY KEY,
	state bytea NOT NULL
);

-- Has one row, once compared_advisers was filled. form tells the states of different versions of the program apart.
CREATE TABLE catalog.comparisons (form text NOT NULL, arrival bigint NOT NULL);

-- +goose Down
DROP TABLE catalog.comparisons;
DROP TABLE catalog.compared_advisers;
DROP TABLE catalog.changed_advisers;
