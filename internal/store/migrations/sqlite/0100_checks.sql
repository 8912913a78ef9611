-- Checks from outside, and heartbeats that are called. hash is that of the
-- secret in a heartbeat's address.

CREATE TABLE checks (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name       TEXT    NOT NULL,
	kind       TEXT    NOT NULL,
	target     TEXT    NOT NULL,
	every      INTEGER NOT NULL,
	grace      INTEGER NOT NULL,
	timeout    INTEGER NOT NULL,
	expect     TEXT    NOT NULL,
	days       INTEGER NOT NULL,
	active     INTEGER NOT NULL,
	alert_id   INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	hash       TEXT    NOT NULL,
	ran_at     INTEGER NOT NULL,
	started_at INTEGER NOT NULL,
	up         INTEGER NOT NULL,
	duration   REAL    NOT NULL,
	said       TEXT    NOT NULL,
	UNIQUE (org_id, name)
) STRICT;
CREATE INDEX checks_hash ON checks (hash);
