-- Where checks run: the server, or agents by name or tag; the agents that ask
-- for checks, and what each found last.

ALTER TABLE checks ADD COLUMN places TEXT NOT NULL DEFAULT '["server"]';
ALTER TABLE checks ADD COLUMN silence_alert_id BIGINT NOT NULL DEFAULT 0;

CREATE TABLE check_places (
	org_id  BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name    TEXT    NOT NULL,
	tags    TEXT    NOT NULL,
	seen_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, name)
);

CREATE TABLE check_results (
	org_id   BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	check_id BIGINT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
	place    TEXT    NOT NULL,
	ran_at   BIGINT NOT NULL,
	up       BOOLEAN NOT NULL,
	duration DOUBLE PRECISION NOT NULL,
	said     TEXT    NOT NULL,
	PRIMARY KEY (check_id, place)
);
