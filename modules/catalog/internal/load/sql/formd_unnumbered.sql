-- The issuers of the chains that no number joins to a fund.
SELECT chain, name_key, name_form, city, state FROM o_issuer
