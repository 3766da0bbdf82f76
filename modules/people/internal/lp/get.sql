SELECT id, state, name, entity_type, city, country, investment_count, total_committed, as_of
FROM people.lps
WHERE id = @id
