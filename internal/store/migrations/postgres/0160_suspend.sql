-- Maintenance windows in which alerts are not evaluated.

ALTER TABLE maintenance ADD COLUMN suspends BOOLEAN NOT NULL DEFAULT FALSE;
