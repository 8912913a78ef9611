-- Filters of the list of alerts that are kept under a name. user_id is whose it
-- is; one without is everybody's.

CREATE TABLE alert_views (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id     INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	user_id    INTEGER REFERENCES users (id) ON DELETE CASCADE,
	name       TEXT    NOT NULL,
	name_key   TEXT    NOT NULL,
	filter     TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	created_by TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX alert_views_name ON alert_views (org_id, COALESCE(user_id, 0), name_key);
CREATE INDEX alert_views_user ON alert_views (user_id);
