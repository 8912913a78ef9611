-- Comments on incidents can be changed for a while.

ALTER TABLE incident_notes ADD COLUMN edited_at INTEGER NOT NULL DEFAULT 0;
