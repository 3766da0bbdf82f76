UPDATE people.aliases a SET rule_uid = b.rule_uid FROM people.aliases b WHERE a.rule_uid = b.uid
