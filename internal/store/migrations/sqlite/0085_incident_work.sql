-- How people work with incidents: severity and labels, escalation, who
-- acknowledged, and maintenance windows.

ALTER TABLE alerts ADD COLUMN severity   TEXT NOT NULL DEFAULT '';
ALTER TABLE alerts ADD COLUMN labels     TEXT NOT NULL DEFAULT 'null';
ALTER TABLE alerts ADD COLUMN escalation TEXT NOT NULL DEFAULT 'null';

ALTER TABLE alert_states ADD COLUMN acknowledged_by TEXT NOT NULL DEFAULT '';
ALTER TABLE alert_states ADD COLUMN notified_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert_states ADD COLUMN escalated   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert_states ADD COLUMN window_id   INTEGER NOT NULL DEFAULT 0;

CREATE TABLE maintenance (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name       TEXT NOT NULL,
	name_key   TEXT NOT NULL,
	note       TEXT NOT NULL,
	starts_at  INTEGER NOT NULL,
	ends_at    INTEGER,
	repeats    TEXT NOT NULL,
	covers     TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	created_by TEXT NOT NULL
) STRICT;
CREATE INDEX maintenance_org ON maintenance (org_id, starts_at);
