-- A token that was not used for so many days is deactivated; 0 for never.

ALTER TABLE tokens ADD COLUMN idle_days BIGINT NOT NULL DEFAULT 0;
