-- The parts of a space that can be folded, as JSON; which chart is in which is in places.

ALTER TABLE layouts ADD COLUMN sections TEXT NOT NULL DEFAULT '[]';
