-- What somebody called a version, to find it again; empty for most.

ALTER TABLE object_versions ADD COLUMN name TEXT NOT NULL DEFAULT '';
