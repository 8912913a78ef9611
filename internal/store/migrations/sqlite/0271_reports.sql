-- Reports: pictures of spaces that are sent to services by a schedule, and the
-- latest picture of each.

CREATE TABLE reports (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	space_id   INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
	name       TEXT    NOT NULL,
	schedule   TEXT    NOT NULL,
	shows      TEXT    NOT NULL,
	tags       TEXT    NOT NULL,
	services   TEXT    NOT NULL,
	paused     INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	created_by TEXT    NOT NULL,
	due_at     INTEGER NOT NULL,
	asked_at   INTEGER NOT NULL,
	sent_at    INTEGER NOT NULL,
	problem    TEXT    NOT NULL
) STRICT;
CREATE INDEX reports_org ON reports (org_id);
CREATE INDEX reports_space ON reports (space_id);
CREATE INDEX reports_due ON reports (due_at);
CREATE INDEX reports_asked ON reports (asked_at);

CREATE TABLE report_pictures (
	report_id INTEGER PRIMARY KEY REFERENCES reports (id) ON DELETE CASCADE,
	org_id    INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	slot      INTEGER NOT NULL,
	png       BLOB    NOT NULL
) STRICT;
CREATE INDEX report_pictures_org ON report_pictures (org_id);
