-- People acknowledge incidents and comment on them.

ALTER TABLE alert_states ADD COLUMN acknowledged_at INTEGER NOT NULL DEFAULT 0;

CREATE TABLE incident_notes (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id      INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	incident_id INTEGER NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
	at          INTEGER NOT NULL,
	kind        TEXT    NOT NULL,
	noted_by    TEXT    NOT NULL,
	note        TEXT    NOT NULL
) STRICT;
CREATE INDEX incident_notes_org ON incident_notes (org_id);
CREATE INDEX incident_notes_incident ON incident_notes (incident_id, id);
