-- +goose Up
-- The team and the alumni of each adviser, each person once: whoever has several posts there is on the team if one of them is.
CREATE VIEW people.roster AS
SELECT DISTINCT ON (crd, person_uid) * FROM people.posts WHERE standing IN ('team', 'alumni')
ORDER BY crd, person_uid, array_position(ARRAY['team', 'alumni'], standing), named_until DESC, sight_uid;

-- +goose Down
DROP VIEW people.roster;
