SELECT a.arrival, NOT EXISTS (SELECT FROM people.lp_matched m WHERE m.arrival = a.arrival) AND EXISTS (SELECT FROM people.lp_investments) AS due
FROM (SELECT coalesce(max(arrival), 0) AS arrival FROM catalog.pub_arrival) a
