-- What several servers on one database agree on: the order of their writes,
-- how the measurements of each metric are kept, and who does what is to be
-- done by one.

CREATE TABLE engine_metrics (
	org_id     INTEGER NOT NULL,
	name       TEXT    NOT NULL,
	generation INTEGER NOT NULL DEFAULT 0,
	fold       INTEGER NOT NULL DEFAULT 0,
	period     INTEGER NOT NULL DEFAULT 0,
	folded     INTEGER NOT NULL DEFAULT 0,
	removed    INTEGER NOT NULL DEFAULT 0,
	change     INTEGER NOT NULL,
	PRIMARY KEY (org_id, name)
) STRICT;

CREATE INDEX engine_metrics_change ON engine_metrics (change);

CREATE TABLE engine_samples (
	org_id  INTEGER NOT NULL PRIMARY KEY,
	samples INTEGER NOT NULL
) STRICT;

CREATE TABLE engine_marks (
	name  TEXT   NOT NULL PRIMARY KEY,
	value INTEGER NOT NULL
) STRICT;

CREATE TABLE leases (
	name       TEXT   NOT NULL PRIMARY KEY,
	holder     TEXT   NOT NULL,
	fence      INTEGER NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT;
