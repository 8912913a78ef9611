-- When a person last looked at a space.
CREATE TABLE space_openings (
	org_id    INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	user_id   INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	space_id  INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
	opened_at INTEGER NOT NULL,
	PRIMARY KEY (org_id, user_id, space_id)
) STRICT;
CREATE INDEX space_openings_space ON space_openings (space_id);
CREATE INDEX space_openings_user ON space_openings (user_id);
