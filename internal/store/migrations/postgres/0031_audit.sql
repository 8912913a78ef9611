-- The audit log says from where, and what was before and after. Entries
-- without an organization are about the whole server.

ALTER TABLE audit ALTER COLUMN org_id DROP NOT NULL;
ALTER TABLE audit ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN before_json TEXT NOT NULL DEFAULT 'null';
ALTER TABLE audit ADD COLUMN after_json TEXT NOT NULL DEFAULT 'null';
ALTER TABLE audit ADD COLUMN times BIGINT NOT NULL DEFAULT 0;
CREATE INDEX audit_at ON audit (at);
