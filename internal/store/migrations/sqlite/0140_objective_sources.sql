-- Objectives over distributions, by tags, and without maintenance.

ALTER TABLE objectives ADD COLUMN below REAL;
ALTER TABLE objectives ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE objectives ADD COLUMN group_by TEXT NOT NULL DEFAULT '';
ALTER TABLE objectives ADD COLUMN labels TEXT NOT NULL DEFAULT '{}';
ALTER TABLE objectives ADD COLUMN without_maintenance INTEGER NOT NULL DEFAULT 0;
