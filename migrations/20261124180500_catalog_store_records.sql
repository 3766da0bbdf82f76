-- All that an adviser filed as one value, so that a question about the past is one look-up. A load writes the records of the advisers
-- whose current rows it derives, in its transaction; gpatlas refresh writes those of a catalog that was loaded before. They are read and
-- written by catalog/internal/record.

-- +goose Up
CREATE TABLE catalog.records (
    crd      text COLLATE "C" PRIMARY KEY,
    encoding bigint NOT NULL,         -- a row of another encoding than the program's counts as missing
    others   text[] COLLATE "C",      -- who else ever named one of its funds; null: none
    filed    bytea NOT NULL           -- compressed
);
ALTER TABLE catalog.records ALTER filed SET STORAGE EXTERNAL;

-- +goose Down
DROP TABLE catalog.records;
