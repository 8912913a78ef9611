-- Browsers that people signed in from, by the hash of a cookie that stays.

CREATE TABLE browsers (
	user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	hash    TEXT    NOT NULL,
	seen_at INTEGER NOT NULL,
	PRIMARY KEY (user_id, hash)
) STRICT;
