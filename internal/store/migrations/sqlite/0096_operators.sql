-- People who look after the server, and what organizations ask them for. Of
-- each limit an organization has one request: a new one takes the place of one
-- that was answered.

ALTER TABLE users ADD COLUMN operator INTEGER NOT NULL DEFAULT 0;

CREATE TABLE limit_requests (
	org_id      INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name        TEXT    NOT NULL,
	wanted      INTEGER NOT NULL,
	allowed     INTEGER NOT NULL,
	used        INTEGER,
	note        TEXT    NOT NULL,
	asked_by    TEXT    NOT NULL,
	asked_at    INTEGER NOT NULL,
	state       TEXT    NOT NULL,
	answered_at INTEGER NOT NULL,
	granted     INTEGER NOT NULL,
	answer      TEXT    NOT NULL,
	PRIMARY KEY (org_id, name)
) STRICT;
CREATE INDEX limit_requests_state ON limit_requests (state, asked_at);
