-- Limits of organizations that differ from the server's.

CREATE TABLE org_limits (
	org_id INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name   TEXT    NOT NULL,
	value  INTEGER NOT NULL,
	PRIMARY KEY (org_id, name)
) STRICT;
