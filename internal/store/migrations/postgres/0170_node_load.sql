-- What a server has to do and room for, as JSON, by its last heartbeat.

ALTER TABLE nodes ADD COLUMN load TEXT NOT NULL DEFAULT '{}';
