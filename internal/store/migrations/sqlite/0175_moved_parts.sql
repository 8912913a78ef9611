-- What was copied into this database and its engine from another server: of
-- each metric and stretch of time, what told it from others.

CREATE TABLE moved_parts (
	org_id INTEGER NOT NULL,
	start  INTEGER NOT NULL,
	metric TEXT    NOT NULL,
	digest INTEGER NOT NULL,
	PRIMARY KEY (org_id, start, metric)
);
