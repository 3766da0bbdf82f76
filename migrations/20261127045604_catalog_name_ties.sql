-- +goose Up
-- The advisers that a form names as related persons under common control (Schedule D 7.A), by which organizations are grouped.
CREATE VIEW catalog.ties AS
SELECT accession, crd, affiliate_crd FROM catalog.affiliates WHERE affiliate_crd IS NOT NULL AND (controls OR common_control);

-- +goose Down
DROP VIEW catalog.ties;
