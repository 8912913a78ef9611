-- Tags that are left out of what is recorded of some metrics.

CREATE TABLE tag_drops (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	metric     TEXT    NOT NULL,
	tag        TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	created_by TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX tag_drops_tag ON tag_drops (org_id, metric, tag);
