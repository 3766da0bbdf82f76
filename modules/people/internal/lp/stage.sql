CREATE TEMPORARY TABLE lp_list (
	line bigint, name_key text COLLATE "C", state text COLLATE "C", name text, entity_type text, pension boolean, city text, country text,
	fund_key text COLLATE "C", fund_name text, gp_name text, vintage_year smallint,
	committed bigint, contributed bigint, distributed bigint, nav bigint, net_irr_percent double precision, multiple double precision, as_of date
) ON COMMIT DROP
