SELECT p.seq AS publication,
	NOT EXISTS (SELECT FROM people.lp_matched m WHERE m.publication = p.seq) AND EXISTS (SELECT FROM people.lp_investments) AS due
FROM catalog.pub_publication p
