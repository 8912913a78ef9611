-- What is to be told of an alert and its incidents outlives them, so that the
-- end of an incident is told though the alert was deleted. SQLite cannot drop
-- a reference: the table is made anew, and with it the one that refers to it.

CREATE TABLE kept_deliveries (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id      INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	alert_id    INTEGER NOT NULL,
	incident_id INTEGER,
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
INSERT INTO kept_deliveries
	SELECT id, org_id, alert_id, incident_id, service_id, kind, dedup, status, tries, created_at, started_at, due_at, finished_at,
		fallback_of, notice
	FROM deliveries;
-- No id is used twice, nor those of rows that are gone.
DELETE FROM sqlite_sequence WHERE name = 'kept_deliveries';
INSERT INTO sqlite_sequence (name, seq) SELECT 'kept_deliveries', seq FROM sqlite_sequence WHERE name = 'deliveries';

CREATE TABLE kept_attempts (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	delivery_id INTEGER NOT NULL REFERENCES kept_deliveries (id) ON DELETE CASCADE,
	at          INTEGER NOT NULL,
	duration_ms INTEGER NOT NULL,
	ok          INTEGER NOT NULL,
	answer      TEXT    NOT NULL
) STRICT;
INSERT INTO kept_attempts SELECT id, delivery_id, at, duration_ms, ok, answer FROM delivery_attempts;

DROP TABLE delivery_attempts;
DROP TABLE deliveries;
ALTER TABLE kept_deliveries RENAME TO deliveries;
ALTER TABLE kept_attempts RENAME TO delivery_attempts;

CREATE INDEX deliveries_org ON deliveries (org_id);
CREATE INDEX deliveries_due ON deliveries (status, due_at);
CREATE INDEX deliveries_incident ON deliveries (incident_id, service_id, status);
CREATE INDEX deliveries_alert ON deliveries (alert_id, id);
CREATE INDEX deliveries_service ON deliveries (service_id, id);
CREATE INDEX delivery_attempts_delivery ON delivery_attempts (delivery_id, id);
