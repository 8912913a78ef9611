-- Maintenance windows in which alerts are not evaluated.

ALTER TABLE maintenance ADD COLUMN suspends INTEGER NOT NULL DEFAULT 0;
