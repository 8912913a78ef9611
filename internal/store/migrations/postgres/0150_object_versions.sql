-- Every version of spaces, charts, alerts and composites. object is the id, or
-- the key of a metric's name; space_id is that of a chart, otherwise 0.

CREATE TABLE object_versions (
	org_id   BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	kind     TEXT    NOT NULL,
	object   TEXT COLLATE "C" NOT NULL,
	number   BIGINT NOT NULL,
	space_id BIGINT NOT NULL,
	at       BIGINT NOT NULL,
	actor    TEXT    NOT NULL,
	action   TEXT    NOT NULL,
	restored BIGINT NOT NULL,
	document TEXT    NOT NULL,
	PRIMARY KEY (org_id, kind, object, number)
);
CREATE INDEX object_versions_space ON object_versions (org_id, space_id);
CREATE INDEX object_versions_gone ON object_versions (action, at);

-- Who has an editor open, and until when unless they say so again. editor is
-- drawn by lot for each.

CREATE TABLE editors (
	org_id     BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	kind       TEXT    NOT NULL,
	object     TEXT COLLATE "C" NOT NULL,
	editor     TEXT COLLATE "C" NOT NULL,
	name       TEXT    NOT NULL,
	until      BIGINT NOT NULL,
	PRIMARY KEY (org_id, kind, object, editor)
);
CREATE INDEX editors_until ON editors (until);
