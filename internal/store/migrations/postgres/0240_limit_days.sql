-- What organizations used of their limits, the most of each day.

CREATE TABLE limit_days (
	org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	name   TEXT   NOT NULL,
	day    BIGINT NOT NULL,
	most   BIGINT NOT NULL,
	PRIMARY KEY (org_id, name, day)
);
CREATE INDEX limit_days_day ON limit_days (day);
