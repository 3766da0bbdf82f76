-- Finds the notices of Form D of each fund. Only the touched chains are read, and all funds that they may be joined to are
-- among the affected ones.
-- By file number: any filing of the fund states the number of any notice of the chain. fold.Numbered is the same rule.
CREATE TEMP TABLE o_number ON COMMIT DROP AS
SELECT DISTINCT chain, n.fund_id
FROM o_touched JOIN catalog.offerings o USING (chain) JOIN catalog.fund_form_d_numbers n USING (file_number) JOIN t_fund USING (fund_id);
ANALYZE o_number;

-- By name, if no number joins the chain: the issuers of its notices that are of a fund and not of an operating company.
CREATE TEMP TABLE o_issuer ON COMMIT DROP AS
SELECT DISTINCT t.chain, i.name_key, i.name_form, i.city, i.state
FROM o_touched t JOIN catalog.offerings o USING (chain) JOIN catalog.offering_issuers i USING (accession)
WHERE i.name_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM o_number n WHERE n.chain = t.chain)
  AND {{of a fund}};
ANALYZE o_issuer;

-- What is joined by name. Filled by the process.
CREATE TEMP TABLE o_name (chain text COLLATE "C", fund_id text COLLATE "C") ON COMMIT DROP;
