-- What the web interface keeps.

CREATE TABLE sessions (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	org_id       INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	hash         TEXT    NOT NULL UNIQUE,
	old_hash     TEXT    NOT NULL,
	old_until    INTEGER NOT NULL,
	created_at   INTEGER NOT NULL,
	last_seen_at INTEGER NOT NULL,
	rotated_at   INTEGER NOT NULL,
	expires_at   INTEGER NOT NULL,
	user_agent   TEXT    NOT NULL,
	address      TEXT    NOT NULL
) STRICT;
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_old ON sessions (old_hash);

CREATE TABLE one_time_keys (
	hash       TEXT    NOT NULL PRIMARY KEY,
	kind       TEXT    NOT NULL,
	user_id    INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	detail     TEXT    NOT NULL
) STRICT;

CREATE TABLE layouts (
	space_id     INTEGER NOT NULL PRIMARY KEY REFERENCES spaces (id) ON DELETE CASCADE,
	org_id       INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	places       TEXT    NOT NULL,
	default_tags TEXT    NOT NULL,
	annotations  TEXT    NOT NULL,
	updated_at   INTEGER NOT NULL,
	updated_by   TEXT    NOT NULL
) STRICT;

CREATE TABLE pins (
	org_id  INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	spaces  TEXT    NOT NULL,
	PRIMARY KEY (org_id, user_id)
) STRICT;

CREATE TABLE shares (
	id             INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id         INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	space_id       INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
	hash           TEXT    NOT NULL UNIQUE,
	name           TEXT    NOT NULL,
	created_at     INTEGER NOT NULL,
	created_by     TEXT    NOT NULL,
	expires_at     INTEGER NOT NULL,
	last_opened_at INTEGER NOT NULL,
	locked_tags    TEXT    NOT NULL
) STRICT;
CREATE INDEX shares_space ON shares (space_id);

CREATE TABLE senders (
	token_id   INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
	user_agent TEXT    NOT NULL,
	sender     TEXT    NOT NULL,
	day        INTEGER NOT NULL,
	requests   INTEGER NOT NULL,
	last_at    INTEGER NOT NULL,
	old        INTEGER NOT NULL,
	sends      TEXT    NOT NULL,
	PRIMARY KEY (token_id, user_agent, sender, day)
) STRICT;

CREATE TABLE usage_days (
	org_id  INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	day     INTEGER NOT NULL,
	samples INTEGER NOT NULL,
	PRIMARY KEY (org_id, day)
) STRICT;
