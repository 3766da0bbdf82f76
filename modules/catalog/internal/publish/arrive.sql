-- Begins a load: draws the number of its arrival and the instant that its rows are dated with, later than those of all before it
-- even where the server's clock was set back. No row where a load goes on in the transaction.
SELECT set_config('catalog.arrival', nextval('catalog.arrival_numbers')::text, true),
	set_config('catalog.processed_at', greatest(clock_timestamp(),
		(SELECT max(known_at) FROM catalog.arrivals) + interval '1 microsecond')::text, true)
WHERE catalog.current_arrival() = 0
