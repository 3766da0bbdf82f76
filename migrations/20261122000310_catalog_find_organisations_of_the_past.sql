-- +goose Up
-- Which advisers were one organisation on an earlier day: who had a website under a domain at any time, and whose forms ever
-- named an adviser as a related person under common control. Hosts are kept backwards, so that those under a domain stand
-- together. A replaced edition keeps what its form said of related persons, in said -> 'affiliates'; those of before do not.
CREATE INDEX adviser_versions_host ON catalog.adviser_versions
    ((reverse(substring(website FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C")) WHERE website IS NOT NULL;
CREATE INDEX replaced_versions_host ON catalog.replaced_versions
    ((reverse(substring(said ->> 'website' FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C")) WHERE fund_id = '';
CREATE INDEX affiliates_named ON catalog.affiliates (affiliate_crd) WHERE controls OR common_control;
CREATE INDEX replaced_versions_affiliates ON catalog.replaced_versions USING gin ((said -> 'affiliates')) WHERE fund_id = '';

-- +goose Down
DROP INDEX catalog.replaced_versions_affiliates;
DROP INDEX catalog.affiliates_named;
DROP INDEX catalog.replaced_versions_host;
DROP INDEX catalog.adviser_versions_host;
