CREATE TEMPORARY TABLE r_before (
	crd text, sight_uid text, person_uid text, rule_uid text, last_key text, first_key text, name_hash text
) ON COMMIT DROP
