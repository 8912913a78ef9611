-- What was copied into this database and its engine from another server: of
-- each metric and stretch of time, what told it from others.

CREATE TABLE moved_parts (
	org_id BIGINT NOT NULL,
	start  BIGINT NOT NULL,
	metric TEXT   NOT NULL,
	digest BIGINT NOT NULL,
	PRIMARY KEY (org_id, start, metric)
);
