-- The names that funds are looked for by.
SELECT DISTINCT name_key FROM o_issuer
