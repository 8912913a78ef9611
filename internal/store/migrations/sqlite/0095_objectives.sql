-- Objectives: how many percent of what one metric counts another is to count
-- over some days.

CREATE TABLE objectives (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id       INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name         TEXT NOT NULL,
	name_key     TEXT NOT NULL,
	description  TEXT NOT NULL,
	good_metric  TEXT NOT NULL,
	total_metric TEXT NOT NULL,
	target       REAL NOT NULL,
	days         INTEGER NOT NULL,
	created_at   INTEGER NOT NULL,
	updated_at   INTEGER NOT NULL,
	created_by   TEXT NOT NULL,
	UNIQUE (org_id, name_key)
) STRICT;
