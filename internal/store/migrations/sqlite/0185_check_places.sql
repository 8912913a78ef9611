-- Where checks run: the server, or agents by name or tag; the agents that ask
-- for checks, and what each found last.

ALTER TABLE checks ADD COLUMN places TEXT NOT NULL DEFAULT '["server"]';
ALTER TABLE checks ADD COLUMN silence_alert_id INTEGER NOT NULL DEFAULT 0;

CREATE TABLE check_places (
	org_id  INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name    TEXT    NOT NULL,
	tags    TEXT    NOT NULL,
	seen_at INTEGER NOT NULL,
	PRIMARY KEY (org_id, name)
) STRICT;

CREATE TABLE check_results (
	org_id   INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	check_id INTEGER NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
	place    TEXT    NOT NULL,
	ran_at   INTEGER NOT NULL,
	up       INTEGER NOT NULL,
	duration REAL NOT NULL,
	said     TEXT    NOT NULL,
	PRIMARY KEY (check_id, place)
) STRICT;
