-- What lists of spaces sort and filter by: tags, as JSON, and who looks after
-- a space. Who edited it last is in object_versions.

ALTER TABLE spaces ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE spaces ADD COLUMN owner_id BIGINT REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX spaces_owner ON spaces (owner_id);
