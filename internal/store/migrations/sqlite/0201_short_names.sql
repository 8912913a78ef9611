-- What addresses name an organization by; '' for its id.

ALTER TABLE orgs ADD COLUMN short_name TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX orgs_short_name ON orgs (short_name) WHERE short_name <> '';
