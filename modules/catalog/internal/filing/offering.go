package filing

// everything is all filings of one adviser (its CRD is asked for twice): its own, and the Form D notices that are joined to
// its funds, each once however many of them it is of.
//
// Spec: not shown; a notice of Form D is initial, its amendment (D/A) material. EDGAR's data sets give the day of filing and
// no time: midnight UTC, as for all days here.
const everything = `SELECT f.accession, f.crd, f.source, f.filing_id, f.form_type, f.amendment_type, f.filing_date, f.submitted_at,
		f.funds_listed, f.document, f.status, coalesce(a.known_at, f.processed_at) AS processed_at
	FROM catalog.filings f LEFT JOIN catalog.arrivals a USING (processed_at) WHERE f.crd = ?
	UNION ALL
	SELECT DISTINCT o.accession, f.adviser_crd, 'form_d', NULL::bigint, o.form_type,
		CASE o.form_type WHEN 'D' THEN 'initial' ELSE 'material' END, o.filing_date, o.filing_date::timestamp AT TIME ZONE 'UTC',
		false, o.document, o.status, coalesce(a.known_at, o.processed_at)
	FROM catalog.funds f JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offerings o USING (accession)
	LEFT JOIN catalog.arrivals a USING (processed_at)
	WHERE f.adviser_crd = ?`
