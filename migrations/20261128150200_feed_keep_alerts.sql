-- +goose Up
-- Alerts on saved searches: see modules/feed/internal/alert. hash is that of the filters that are watched.
CREATE TABLE feed.alerts (
	search_id uuid PRIMARY KEY,
	user_id bigint NOT NULL,
	tells text[] NOT NULL, -- entered, left, changed
	fields text[] NOT NULL, -- of changed; empty: all
	mail text NOT NULL CHECK (mail IN ('off', 'each', 'daily', 'weekly')),
	webhooks text[] NOT NULL, -- IDs of endpoints
	state text NOT NULL CHECK (state IN ('active', 'paused')),
	why text CHECK (why IN ('plan', 'filters')),
	fault text, -- of the filters
	hash text COLLATE "C" NOT NULL,
	since bigint NOT NULL, -- news are of later loads
	mailed bigint NOT NULL, -- mails told of the loads up to this one
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL
);
CREATE INDEX alerts_user ON feed.alerts (user_id, created_at);
CREATE INDEX alerts_hash ON feed.alerts (hash);

-- What loads have changed in searches, once for all alerts with the same filters. truncated: the load changed more.
CREATE TABLE feed.matches (
	hash text COLLATE "C" NOT NULL,
	arrival bigint NOT NULL,
	entered text[] COLLATE "C" NOT NULL, -- CRD numbers
	gone text[] COLLATE "C" NOT NULL,
	changed text[] COLLATE "C" NOT NULL,
	truncated boolean NOT NULL,
	at timestamptz NOT NULL,
	known_at timestamptz NOT NULL,
	PRIMARY KEY (hash, arrival)
);
CREATE INDEX matches_at ON feed.matches (at);

-- The managers in matches, with the fields that have other values.
CREATE TABLE feed.matched (
	arrival bigint NOT NULL,
	crd text COLLATE "C" NOT NULL,
	name text NOT NULL,
	fields text[] NOT NULL,
	at timestamptz NOT NULL,
	PRIMARY KEY (arrival, crd)
);

CREATE VIEW feed.news AS
SELECT m.hash, m.arrival, n.crd, g.name, n.what, CASE WHEN n.what = 'changed' THEN g.fields ELSE '{}' END AS fields, m.at, m.known_at, m.truncated
FROM feed.matches m CROSS JOIN LATERAL (
	SELECT unnest(m.entered) AS crd, 'entered' AS what UNION ALL SELECT unnest(m.gone), 'left' UNION ALL SELECT unnest(m.changed), 'changed'
) n JOIN feed.matched g ON g.arrival = m.arrival AND g.crd = n.crd;

-- The body of messages that are about no event of the log.
ALTER TABLE feed.messages ADD COLUMN body text;

-- +goose Down
ALTER TABLE feed.messages DROP COLUMN body;
DROP VIEW feed.news;
DROP TABLE feed.matched;
DROP TABLE feed.matches;
DROP TABLE feed.alerts;
