-- People join by accepting an invitation. There is one for an address and
-- organization at a time, found by the hash of its link's key.
CREATE TABLE invitations (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	hash       TEXT NOT NULL UNIQUE,
	email      TEXT NOT NULL,
	role       TEXT NOT NULL,
	mailed     INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	created_by TEXT NOT NULL,
	expires_at INTEGER NOT NULL,
	UNIQUE (org_id, email)
) STRICT;

-- Whether the address is known to be the person's. Of accounts that were made
-- before nobody knows.
ALTER TABLE users ADD COLUMN verified INTEGER NOT NULL DEFAULT 0;
