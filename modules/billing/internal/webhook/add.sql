INSERT INTO billing.stripe_events (id, type, object, created, state, received_at)
VALUES (@id, @type, @object, @created, @state, @received)
ON CONFLICT (id) DO NOTHING
