-- What a server let organizations do of what their limits bound, a second, so
-- that servers that share the limits know of each other.
ALTER TABLE nodes ADD COLUMN granted TEXT NOT NULL DEFAULT '{}';
