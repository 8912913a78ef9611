-- What several servers on one database agree on: the order of their writes,
-- how the measurements of each metric are kept, and who does what is to be
-- done by one.

CREATE SEQUENCE engine_commits;

CREATE TABLE engine_metrics (
	org_id     BIGINT  NOT NULL,
	name       TEXT    NOT NULL,
	generation BIGINT  NOT NULL DEFAULT 0,
	fold       BOOLEAN NOT NULL DEFAULT FALSE,
	period     BIGINT  NOT NULL DEFAULT 0,
	folded     BOOLEAN NOT NULL DEFAULT FALSE,
	removed    BIGINT  NOT NULL DEFAULT 0,
	change     BIGINT  NOT NULL,
	PRIMARY KEY (org_id, name)
);

CREATE INDEX engine_metrics_change ON engine_metrics (change);

CREATE TABLE engine_samples (
	org_id  BIGINT NOT NULL PRIMARY KEY,
	samples BIGINT NOT NULL
);

CREATE TABLE engine_marks (
	name  TEXT   NOT NULL PRIMARY KEY,
	value BIGINT NOT NULL
);

CREATE TABLE leases (
	name       TEXT   NOT NULL PRIMARY KEY,
	holder     TEXT   NOT NULL,
	fence      BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
