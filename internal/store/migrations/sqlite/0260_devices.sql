-- Browsers and telephones that are notified are services of one person: user_id
-- is whose, and NULL of those of the organization. fingerprint tells
-- subscriptions apart.

ALTER TABLE services ADD COLUMN user_id INTEGER REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE services ADD COLUMN fingerprint TEXT;
CREATE INDEX services_user ON services (user_id);
CREATE INDEX services_fingerprint ON services (fingerprint);
