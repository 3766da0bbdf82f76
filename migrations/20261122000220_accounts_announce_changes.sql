-- +goose Up
-- What an API key may do depends on its account, and processes remember what they read of it. Every change that counts is
-- announced when it commits, by whatever it is made: an operation, a job, a command, or a person with psql.
-- +goose StatementBegin
CREATE FUNCTION accounts.announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('accounts_changed', OLD.id::text);
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER users_changed AFTER UPDATE ON accounts.users FOR EACH ROW
    WHEN ((OLD.is_admin, OLD.subscription_plan, OLD.api_tier, OLD.trial_ends_at, OLD.deleted_at)
          IS DISTINCT FROM (NEW.is_admin, NEW.subscription_plan, NEW.api_tier, NEW.trial_ends_at, NEW.deleted_at))
    EXECUTE FUNCTION accounts.announce_change();
CREATE TRIGGER users_removed AFTER DELETE ON accounts.users FOR EACH ROW EXECUTE FUNCTION accounts.announce_change();

-- +goose Down
DROP TRIGGER users_removed ON accounts.users;
DROP TRIGGER users_changed ON accounts.users;
DROP FUNCTION accounts.announce_change();
