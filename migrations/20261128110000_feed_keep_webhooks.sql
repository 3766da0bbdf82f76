-- +goose Up
CREATE SCHEMA feed;
-- Addresses of accounts that are called when something changes: see modules/feed/internal/webhook. kinds and crds are empty for all.
CREATE TABLE feed.endpoints (
	id uuid PRIMARY KEY,
	user_id bigint NOT NULL,
	url text NOT NULL,
	kinds text[] NOT NULL,
	scope text NOT NULL CHECK (scope IN ('all', 'watchlist', 'crds', 'collection')),
	crds text[] NOT NULL,
	collection_id uuid,
	mode text NOT NULL CHECK (mode IN ('each', 'notify')),
	header_names text[] NOT NULL,
	headers bytea, -- sealed
	state text NOT NULL CHECK (state IN ('active', 'paused', 'disabled')),
	why text,
	position bigint NOT NULL, -- events up to it are messages, or match nothing
	notified_at timestamptz, -- the last message of mode notify
	failing_since timestamptz, -- the first failure since the last success
	streak integer NOT NULL DEFAULT 0, -- failures since the last success
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL
);
CREATE INDEX endpoints_user ON feed.endpoints (user_id, created_at);
CREATE INDEX endpoints_behind ON feed.endpoints (position) WHERE state = 'active';

-- The newest one without an end signs; those with an end sign too until then.
CREATE TABLE feed.secrets (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	endpoint_id uuid NOT NULL REFERENCES feed.endpoints ON DELETE CASCADE,
	sealed bytea NOT NULL,
	expires_at timestamptz
);
CREATE INDEX secrets_endpoint ON feed.secrets (endpoint_id);

-- What is sent: an event, or the notice that there are some. tries counts since it was queued, resent or recovered; attempts counts all.
CREATE TABLE feed.messages (
	endpoint_id uuid NOT NULL REFERENCES feed.endpoints ON DELETE CASCADE,
	id text COLLATE "C" NOT NULL,
	seq_low bigint NOT NULL,
	seq_high bigint NOT NULL,
	kind text COLLATE "C" NOT NULL,
	events bigint NOT NULL,
	state text NOT NULL CHECK (state IN ('waiting', 'sending', 'done', 'failed')),
	tries integer NOT NULL DEFAULT 0,
	attempts integer NOT NULL DEFAULT 0,
	next_at timestamptz, -- of waiting: when it is due; of sending: when it is due again if the worker was killed
	created_at timestamptz NOT NULL,
	PRIMARY KEY (endpoint_id, id)
);
CREATE INDEX messages_open ON feed.messages (endpoint_id, next_at) WHERE state IN ('waiting', 'sending');
CREATE INDEX messages_newest ON feed.messages (endpoint_id, created_at, seq_high);
CREATE INDEX messages_created ON feed.messages (created_at);

CREATE TABLE feed.attempts (
	endpoint_id uuid NOT NULL,
	message_id text COLLATE "C" NOT NULL,
	no integer NOT NULL,
	at timestamptz NOT NULL,
	status smallint, -- null: no response
	ms integer NOT NULL,
	error text,
	said text,
	PRIMARY KEY (endpoint_id, message_id, no),
	FOREIGN KEY (endpoint_id, message_id) REFERENCES feed.messages ON DELETE CASCADE
);

-- +goose Down
DROP TABLE feed.attempts;
DROP TABLE feed.messages;
DROP TABLE feed.secrets;
DROP TABLE feed.endpoints;
DROP SCHEMA feed;
