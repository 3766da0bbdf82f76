-- +goose Up
-- One numbered log of what has changed, in the order of commits: see platform/changes, which alone writes it.
CREATE SEQUENCE platform.changes_seq;
CREATE TABLE platform.changes (
	seq bigint PRIMARY KEY,
	at timestamptz NOT NULL,
	kind text COLLATE "C" NOT NULL,
	crd text COLLATE "C" NOT NULL DEFAULT '',
	subject text COLLATE "C" NOT NULL DEFAULT '',
	accession text COLLATE "C" NOT NULL DEFAULT '',
	day date,
	arrival bigint NOT NULL DEFAULT 0,
	said jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX changes_crd ON platform.changes (crd, seq);
CREATE INDEX changes_kind ON platform.changes (kind, seq);
CREATE INDEX changes_at ON platform.changes (at);
-- One row. swept is the highest number that was deleted because of its age: readers before it have missed events.
CREATE TABLE platform.changes_log (
	id boolean PRIMARY KEY DEFAULT true CHECK (id),
	epoch uuid NOT NULL DEFAULT gen_random_uuid(),
	begun timestamptz NOT NULL DEFAULT now(),
	swept bigint NOT NULL DEFAULT 0
);
INSERT INTO platform.changes_log DEFAULT VALUES;

-- +goose Down
DROP TABLE platform.changes_log;
DROP TABLE platform.changes;
DROP SEQUENCE platform.changes_seq;
