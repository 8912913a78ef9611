-- Pictures that whoever has the link may open, and secrets that were made elsewhere.

ALTER TABLE snapshots ADD COLUMN image_key TEXT;
CREATE UNIQUE INDEX snapshots_image_key ON snapshots (image_key);

ALTER TABLE tokens ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
