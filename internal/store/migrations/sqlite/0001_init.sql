-- Columns called ..._key hold a name in lower case, as Go lowers it: what
-- lists search and sort by, so that both databases agree on case and order.
-- AUTOINCREMENT: the id of something deleted never comes back as something else.

CREATE TABLE settings (
	name  TEXT NOT NULL PRIMARY KEY,
	value BLOB NOT NULL
) STRICT;

-- One row per kind of thing whose changes other processes want to hear of.
CREATE TABLE versions (
	topic   TEXT    NOT NULL PRIMARY KEY,
	version INTEGER NOT NULL
) STRICT;

CREATE TABLE orgs (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	name       TEXT    NOT NULL,
	name_key   TEXT    NOT NULL UNIQUE,
	created_at INTEGER NOT NULL
) STRICT;

-- The last id given to parts that live inside a JSON column.
CREATE TABLE sequences (
	org_id INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	kind   TEXT    NOT NULL,
	last   INTEGER NOT NULL,
	PRIMARY KEY (org_id, kind)
) STRICT;

CREATE TABLE users (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	email         TEXT    NOT NULL UNIQUE,
	name          TEXT    NOT NULL,
	password_hash TEXT    NOT NULL,
	created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE memberships (
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	role       TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (org_id, user_id)
) STRICT;
CREATE INDEX memberships_user ON memberships (user_id);

CREATE TABLE tokens (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id       INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name         TEXT    NOT NULL,
	name_key     TEXT    NOT NULL,
	role         TEXT    NOT NULL,
	active       INTEGER NOT NULL,
	last4        TEXT    NOT NULL,
	created_at   INTEGER NOT NULL,
	updated_at   INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL,
	expires_at   INTEGER NOT NULL,
	old_until    INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_org ON tokens (org_id);

-- A token has one secret that does not expire by itself (expires_at = 0) and,
-- after a rotation, earlier ones that still work for a while.
CREATE TABLE token_secrets (
	hash       TEXT    NOT NULL PRIMARY KEY,
	token_id   INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX token_secrets_token ON token_secrets (token_id);

CREATE TABLE audit (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	at         INTEGER NOT NULL,
	actor      TEXT    NOT NULL,
	action     TEXT    NOT NULL,
	object     TEXT    NOT NULL,
	detail     TEXT    NOT NULL,
	search_key TEXT    NOT NULL
) STRICT;
CREATE INDEX audit_org ON audit (org_id, id);

CREATE TABLE metrics (
	org_id       INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name_key     TEXT    NOT NULL,
	name         TEXT    NOT NULL,
	type         TEXT    NOT NULL,
	display_name TEXT,
	description  TEXT,
	period       INTEGER,
	source_lag   INTEGER,
	composite    TEXT    NOT NULL,
	attributes   TEXT    NOT NULL,
	created_at   INTEGER NOT NULL,
	updated_at   INTEGER NOT NULL,
	PRIMARY KEY (org_id, name_key)
) STRICT;

CREATE TABLE annotation_streams (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id       INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name         TEXT    NOT NULL,
	name_key     TEXT    NOT NULL,
	display_name TEXT,
	UNIQUE (org_id, name_key)
) STRICT;

CREATE TABLE events (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id      INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	stream_id   INTEGER NOT NULL REFERENCES annotation_streams (id) ON DELETE CASCADE,
	title       TEXT    NOT NULL,
	description TEXT,
	source      TEXT,
	source_key  TEXT    NOT NULL,
	start_time  INTEGER NOT NULL,
	end_time    INTEGER,
	links       TEXT    NOT NULL
) STRICT;
CREATE INDEX events_org ON events (org_id);
CREATE INDEX events_time ON events (stream_id, start_time, id);

CREATE TABLE services (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	type       TEXT    NOT NULL,
	title      TEXT    NOT NULL,
	title_key  TEXT    NOT NULL,
	settings   TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX services_title ON services (org_id, title_key, id);

CREATE TABLE alerts (
	id               INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id           INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name             TEXT    NOT NULL,
	name_key         TEXT    NOT NULL,
	description      TEXT,
	conditions       TEXT    NOT NULL,
	attributes       TEXT    NOT NULL,
	active           INTEGER NOT NULL,
	version          INTEGER NOT NULL,
	rearm_seconds    INTEGER NOT NULL,
	rearm_per_signal INTEGER NOT NULL,
	created_at       INTEGER NOT NULL,
	updated_at       INTEGER NOT NULL,
	UNIQUE (org_id, name)
) STRICT;
CREATE INDEX alerts_updated ON alerts (org_id, updated_at, id);

CREATE TABLE alert_services (
	alert_id   INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
	service_id INTEGER NOT NULL REFERENCES services (id) ON DELETE CASCADE,
	position   INTEGER NOT NULL,
	PRIMARY KEY (alert_id, service_id)
) STRICT;
CREATE INDEX alert_services_service ON alert_services (service_id);

CREATE TABLE alert_states (
	alert_id     INTEGER PRIMARY KEY REFERENCES alerts (id) ON DELETE CASCADE,
	org_id       INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	firing       INTEGER NOT NULL,
	triggered_at INTEGER NOT NULL,
	cleared_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_states_org ON alert_states (org_id, firing, cleared_at);

CREATE TABLE spaces (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name       TEXT    NOT NULL,
	name_key   TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX spaces_name ON spaces (org_id, name_key, id);

CREATE TABLE charts (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	space_id   INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
	body       TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX charts_org ON charts (org_id);
CREATE INDEX charts_space ON charts (space_id, id);

CREATE TABLE jobs (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	state      TEXT    NOT NULL,
	progress   REAL,
	output     TEXT    NOT NULL,
	errors     TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_org ON jobs (org_id);

CREATE TABLE snapshots (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	job_id     INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	subject    TEXT    NOT NULL,
	duration   INTEGER NOT NULL,
	end_time   INTEGER NOT NULL,
	image      BLOB,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX snapshots_org ON snapshots (org_id);
CREATE INDEX snapshots_job ON snapshots (job_id);
CREATE INDEX snapshots_created ON snapshots (created_at);
