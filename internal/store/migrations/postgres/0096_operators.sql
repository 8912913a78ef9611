-- People who look after the server, and what organizations ask them for. Of
-- each limit an organization has one request: a new one takes the place of one
-- that was answered.

ALTER TABLE users ADD COLUMN operator BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE limit_requests (
	org_id      BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name        TEXT    NOT NULL,
	wanted      BIGINT NOT NULL,
	allowed     BIGINT NOT NULL,
	used        BIGINT,
	note        TEXT    NOT NULL,
	asked_by    TEXT    NOT NULL,
	asked_at    BIGINT NOT NULL,
	state       TEXT    NOT NULL,
	answered_at BIGINT NOT NULL,
	granted     BIGINT NOT NULL,
	answer      TEXT    NOT NULL,
	PRIMARY KEY (org_id, name)
);
CREATE INDEX limit_requests_state ON limit_requests (state, asked_at);
