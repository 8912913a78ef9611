-- Whether alerts may name metrics that do not exist yet.

ALTER TABLE orgs ADD COLUMN alerts_before_metrics BOOLEAN NOT NULL DEFAULT FALSE;
