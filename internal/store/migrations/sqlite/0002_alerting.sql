-- The memory of alerts, their incidents, and what is told of them.

ALTER TABLE alert_states ADD COLUMN incident_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert_states ADD COLUMN told_at     INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert_states ADD COLUMN told        TEXT   NOT NULL DEFAULT 'null';
ALTER TABLE alert_states ADD COLUMN conditions  TEXT   NOT NULL DEFAULT '';
ALTER TABLE alert_states ADD COLUMN changed_at  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert_states ADD COLUMN resolved_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert_states ADD COLUMN violations  TEXT   NOT NULL DEFAULT 'null';
ALTER TABLE alert_states ADD COLUMN revision    INTEGER NOT NULL DEFAULT 0;

CREATE TABLE incidents (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id       INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	alert_id     INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
	triggered_at INTEGER NOT NULL,
	cleared_at   INTEGER,
	clear        TEXT,
	cleared_by   TEXT,
	peak         REAL,
	violations   TEXT    NOT NULL,
	event_id     INTEGER NOT NULL
) STRICT;
CREATE INDEX incidents_alert ON incidents (alert_id, id);
CREATE INDEX incidents_time ON incidents (org_id, triggered_at);
CREATE INDEX incidents_cleared ON incidents (cleared_at);

-- The outbox: what is to be told, and what was.
CREATE TABLE deliveries (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id      INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	alert_id    INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
	incident_id INTEGER REFERENCES incidents (id) ON DELETE CASCADE,
	service_id  INTEGER NOT NULL REFERENCES services (id) ON DELETE CASCADE,
	kind        TEXT    NOT NULL,
	dedup       TEXT    NOT NULL,
	status      TEXT    NOT NULL,
	tries       INTEGER NOT NULL,
	created_at  INTEGER NOT NULL,
	started_at  INTEGER NOT NULL,
	due_at      INTEGER NOT NULL,
	finished_at INTEGER NOT NULL,
	fallback_of INTEGER NOT NULL,
	notice      TEXT    NOT NULL
) STRICT;
CREATE INDEX deliveries_org ON deliveries (org_id);
CREATE INDEX deliveries_due ON deliveries (status, due_at);
CREATE INDEX deliveries_incident ON deliveries (incident_id, service_id, status);
CREATE INDEX deliveries_alert ON deliveries (alert_id, id);
CREATE INDEX deliveries_service ON deliveries (service_id, id);

CREATE TABLE delivery_attempts (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	delivery_id INTEGER NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
	at          INTEGER NOT NULL,
	duration_ms INTEGER NOT NULL,
	ok          INTEGER NOT NULL,
	answer      TEXT    NOT NULL
) STRICT;
CREATE INDEX delivery_attempts_delivery ON delivery_attempts (delivery_id, id);

CREATE TABLE alert_snoozes (
	id        INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id    INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	alert_id  INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
	starts_at INTEGER NOT NULL,
	ends_at   INTEGER,
	set_by    TEXT    NOT NULL,
	note      TEXT    NOT NULL
) STRICT;
CREATE INDEX alert_snoozes_org ON alert_snoozes (org_id);
CREATE INDEX alert_snoozes_alert ON alert_snoozes (alert_id, starts_at);
