-- How people prove a second time who they are.

CREATE TABLE totp (
	user_id      INTEGER NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
	seed         TEXT    NOT NULL,
	created_at   INTEGER NOT NULL,
	confirmed_at INTEGER NOT NULL, -- 0 until the first code was right
	last_step    INTEGER NOT NULL  -- whose code was used last: none works twice
) STRICT;

CREATE TABLE recovery_codes (
	user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	hash    TEXT    NOT NULL,
	PRIMARY KEY (user_id, hash)
) STRICT;

CREATE TABLE passkeys (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	user_id       INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	name          TEXT    NOT NULL,
	credential_id TEXT    NOT NULL UNIQUE,
	credential    TEXT    NOT NULL, -- JSON: the public key and what the authenticator said of itself
	created_at    INTEGER NOT NULL,
	used_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX passkeys_user ON passkeys (user_id);

-- When the person last proved who they are; those of before did when they signed in.
ALTER TABLE sessions ADD COLUMN proved_at INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET proved_at = created_at;

ALTER TABLE orgs ADD COLUMN second_factor INTEGER NOT NULL DEFAULT 0;
