-- What organizations used of their limits, the most of each day.

CREATE TABLE limit_days (
	org_id INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name   TEXT    NOT NULL,
	day    INTEGER NOT NULL,
	most   INTEGER NOT NULL,
	PRIMARY KEY (org_id, name, day)
) STRICT;
CREATE INDEX limit_days_day ON limit_days (day);
