-- Playlists: spaces that a screen on the wall shows in turn, and links to them.

CREATE TABLE playlists (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name       TEXT    NOT NULL,
	name_key   TEXT    NOT NULL,
	spaces     TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	created_by TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX playlists_name ON playlists (org_id, name_key);

CREATE TABLE shares_new (
	id             INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id         INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	space_id       INTEGER REFERENCES spaces (id) ON DELETE CASCADE,
	hash           TEXT    NOT NULL UNIQUE,
	name           TEXT    NOT NULL,
	created_at     INTEGER NOT NULL,
	created_by     TEXT    NOT NULL,
	expires_at     INTEGER NOT NULL,
	last_opened_at INTEGER NOT NULL,
	locked_tags    TEXT    NOT NULL,
	playlist_id    INTEGER REFERENCES playlists (id) ON DELETE CASCADE
) STRICT;
INSERT INTO shares_new (id, org_id, space_id, hash, name, created_at, created_by, expires_at, last_opened_at, locked_tags)
	SELECT id, org_id, space_id, hash, name, created_at, created_by, expires_at, last_opened_at, locked_tags FROM shares;
DROP TABLE shares;
ALTER TABLE shares_new RENAME TO shares;
CREATE INDEX shares_space ON shares (space_id);
CREATE INDEX shares_playlist ON shares (playlist_id);
