-- What known filings say after this edition of them: field by field the newest edition that has a column for it counts, in
-- whatever order the editions are loaded. An edition of an unknown day counts as of the day of the one before it.
CREATE TEMP TABLE m_edition ON COMMIT DROP AS
SELECT m.accession, m.crd, coalesce(s.edition, f.edition, '-infinity') AS theirs, coalesce(f.edition, '-infinity') AS ours
FROM m_filing m
JOIN s_filing s USING (accession)
JOIN catalog.filings f USING (accession)
JOIN s_version x USING (accession)
JOIN catalog.adviser_versions v ON v.crd = m.crd AND v.accession = m.accession
WHERE m.state = 'changed' AND (x.silent IS NOT NULL OR v.silent IS NOT NULL OR v.kept IS NOT NULL OR s.edition < f.edition);
ANALYZE m_edition;

-- said: the day of the edition that the field's present value is from; null = no edition has the field.
CREATE TEMP TABLE m_said ON COMMIT DROP AS
SELECT accession,
       jsonb_object_agg(field, CASE WHEN taken THEN theirs_say ELSE ours_say END) AS says,
       array_agg(field ORDER BY field) FILTER (WHERE NOT taken AND said IS NULL) AS silent,
       array_agg(field) FILTER (WHERE NOT taken AND field = ANY ($tables$)) AS kept_tables,
       bool_or(taken AND said IS NULL AND field = ANY ($tables$)) AS new_tables,
       jsonb_object_agg(field, CASE WHEN taken THEN theirs ELSE said END)
           FILTER (WHERE CASE WHEN taken THEN theirs ELSE said END < greatest(theirs, ours)) AS kept
FROM (
    SELECT e.accession, e.theirs, e.ours, n.field, s.said, e.they_say -> n.field AS theirs_say, e.we_say -> n.field AS ours_say,
           NOT coalesce(n.field = ANY (e.their_silence), false) AND (s.said IS NULL OR e.theirs >= s.said) AS taken
    FROM (
        SELECT e.accession, e.theirs, e.ours, x.silent AS their_silence, to_jsonb(x) AS they_say, v.silent, v.kept, to_jsonb(v) AS we_say
        FROM m_edition e JOIN s_version x USING (accession)
        JOIN catalog.adviser_versions v ON v.crd = e.crd AND v.accession = e.accession
        OFFSET 0 -- or each row is made into JSON once for each of its fields
    ) e
    CROSS JOIN unnest($fields$ || $tables$) AS n(field)
    CROSS JOIN LATERAL (SELECT CASE
        WHEN n.field = ANY (e.silent) THEN NULL
        WHEN e.kept ? n.field THEN (e.kept ->> n.field)::date
        ELSE e.ours END AS said) s
) f
GROUP BY accession;
ANALYZE m_said;

UPDATE s_version x SET ($columns$, silent, kept) = (
    SELECT $r_columns$, m.silent, m.kept
    FROM m_said m, jsonb_populate_record(null::catalog.adviser_versions, m.says) r WHERE m.accession = x.accession
) WHERE EXISTS (SELECT 1 FROM m_said m WHERE m.accession = x.accession);

-- An older edition only adds what the newer one is silent about. If an edition adds nothing and has only the adviser's row, the
-- filing is unchanged; the edition and the fields that it is silent about are noted.
UPDATE m_filing m SET state = CASE WHEN changed THEN CASE WHEN older THEN 'completed' ELSE 'changed' END ELSE 'same' END,
                      digest = CASE WHEN older THEN row_hash ELSE digest END
FROM (
    SELECT e.accession, v.row_hash, e.theirs < e.ours AS older,
           ROW($x_columns$) IS DISTINCT FROM ROW($v_columns$) OR s.new_tables OR e.theirs >= e.ours AND NOT $alone$ AS changed
    FROM m_edition e JOIN m_said s USING (accession) JOIN s_version x USING (accession)
    JOIN catalog.adviser_versions v ON v.crd = e.crd AND v.accession = e.accession
) c
WHERE c.accession = m.accession;

-- An adviser is derived again if its record is silent about other fields than before.
INSERT INTO b_listed
SELECT e.crd FROM m_edition e JOIN m_filing m USING (accession) JOIN s_version x USING (accession)
JOIN catalog.adviser_versions v ON v.crd = e.crd AND v.accession = e.accession
WHERE m.state = 'same' AND v.silent IS DISTINCT FROM x.silent;
UPDATE catalog.adviser_versions v SET silent = x.silent, kept = x.kept, row_hash = m.digest
FROM m_edition e JOIN m_filing m USING (accession) JOIN s_version x USING (accession)
WHERE m.state = 'same' AND v.crd = e.crd AND v.accession = e.accession
  AND ROW(v.silent, v.kept, v.row_hash) IS DISTINCT FROM ROW(x.silent, x.kept, m.digest);
