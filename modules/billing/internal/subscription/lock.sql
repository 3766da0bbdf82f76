-- Held until the transaction ends. A class of its own for customers and for accounts: whoever needs both takes the customer
-- first.
SELECT pg_advisory_xact_lock(@class, hashtext(@name))::text
