-- +goose Up
-- What an API key may do also depends on whether its account has confirmed the email address.
DROP TRIGGER users_changed ON accounts.users;
CREATE TRIGGER users_changed AFTER UPDATE ON accounts.users FOR EACH ROW
    WHEN ((OLD.is_admin, OLD.subscription_plan, OLD.api_tier, OLD.trial_ends_at, OLD.deleted_at, OLD.email_verified_at)
          IS DISTINCT FROM (NEW.is_admin, NEW.subscription_plan, NEW.api_tier, NEW.trial_ends_at, NEW.deleted_at, NEW.email_verified_at))
    EXECUTE FUNCTION accounts.announce_change();

-- +goose Down
DROP TRIGGER users_changed ON accounts.users;
CREATE TRIGGER users_changed AFTER UPDATE ON accounts.users FOR EACH ROW
    WHEN ((OLD.is_admin, OLD.subscription_plan, OLD.api_tier, OLD.trial_ends_at, OLD.deleted_at)
          IS DISTINCT FROM (NEW.is_admin, NEW.subscription_plan, NEW.api_tier, NEW.trial_ends_at, NEW.deleted_at))
    EXECUTE FUNCTION accounts.announce_change();
