-- Counts what was written of the records in $noted$, by document: added by the first that touched a record, else changed.
SELECT b.doc, count(*) FILTER (WHERE c.what = 'new' AND b.doc = f.doc),
	count(*) FILTER (WHERE c.what = 'changed' AND (b.touched OR b.doc = f.doc) OR c.what = 'new' AND b.touched AND b.doc <> f.doc)
FROM $table$ c JOIN (
	SELECT $key$, coalesce(min(doc) FILTER (WHERE touched), min(doc)) AS doc FROM $noted$ GROUP BY $key$
) f USING ($key$) JOIN $noted$ b USING ($key$) GROUP BY b.doc
