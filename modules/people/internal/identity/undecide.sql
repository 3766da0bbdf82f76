UPDATE people.posts SET person_uid = rule_uid WHERE person_uid <> rule_uid
