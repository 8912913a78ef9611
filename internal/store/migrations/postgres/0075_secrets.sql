-- Secrets of services, sealed: what is in settings is public. Until a server
-- has sealed them, secrets of earlier versions are in settings still.
ALTER TABLE services ADD COLUMN secrets TEXT NOT NULL DEFAULT '';

-- Secrets of the whole installation, sealed.
CREATE TABLE sealed_settings (
	id    BIGINT PRIMARY KEY,
	value TEXT NOT NULL
);
