SELECT d.accession, d.seq, d.family, d.reference_id, d.items, d.filed_against, d.initiated_by, d.initiator_type, d.court,
	d.case_number, d.event_date, d.product, d.allegations, d.felony, d.status, d.resolution, d.resolution_date, d.sanctions,
	d.monetary_amount, d.sanction_detail, d.summary
FROM jsonb_to_recordset(@places::jsonb) AS k(accession text, seq int) JOIN catalog.pub_disclosure d USING (accession, seq)
