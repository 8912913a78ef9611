-- Pages of Explore that are kept under a name, for everybody in an organization.

CREATE TABLE saved_queries (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name       TEXT    NOT NULL,
	name_key   TEXT    NOT NULL,
	search     TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	created_by TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX saved_queries_name ON saved_queries (org_id, name_key);
