-- The stored withdrawals that a document takes back. A Filing ID belongs to one adviser: if the document gives it to another, the stored withdrawal has a
-- wrong CRD number (moved). And what an earlier loading of the same document brought must be in this one too.
CREATE TEMP TABLE m_taken_back ON COMMIT DROP AS
SELECT k.* FROM (
	SELECT w.accession, w.crd, f.filing_id, EXISTS (SELECT FROM s_withdrawal s WHERE s.filing_id = f.filing_id AND s.crd <> w.crd) AS moved,
		$same document$ AS brought
	FROM catalog.withdrawals w JOIN catalog.filings f USING (accession)
) k
WHERE (k.moved OR k.brought) AND NOT EXISTS (SELECT FROM s_withdrawal s WHERE s.accession = k.accession)
