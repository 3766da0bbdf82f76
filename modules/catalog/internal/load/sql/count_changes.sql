-- Counts what a derivation changed: advisers and funds, new advisers, new funds.
SELECT
	(SELECT count(*) FROM c_adviser) + (SELECT count(*) FROM c_fund),
	(SELECT count(*) FROM c_adviser WHERE what = 'new'),
	(SELECT count(*) FROM c_fund WHERE what = 'new')
