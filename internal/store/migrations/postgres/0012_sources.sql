-- What people call the sources of measurements.

CREATE TABLE sources (
	org_id       BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name         TEXT   NOT NULL,
	display_name TEXT,
	PRIMARY KEY (org_id, name)
);
