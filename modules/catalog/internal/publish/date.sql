INSERT INTO catalog.arrivals (arrival, processed_at, known_at)
SELECT catalog.current_arrival(), catalog.current_processing(),
	greatest(clock_timestamp(), catalog.current_processing() + interval '1 microsecond')
