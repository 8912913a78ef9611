-- The audit log says from where, and what was before and after. Entries
-- without an organization are about the whole server.

CREATE TABLE audit_new (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id      INTEGER REFERENCES orgs (id) ON DELETE CASCADE,
	at          INTEGER NOT NULL,
	actor       TEXT    NOT NULL,
	address     TEXT    NOT NULL DEFAULT '',
	action      TEXT    NOT NULL,
	object      TEXT    NOT NULL,
	detail      TEXT    NOT NULL,
	before_json TEXT    NOT NULL DEFAULT 'null',
	after_json  TEXT    NOT NULL DEFAULT 'null',
	times       INTEGER NOT NULL DEFAULT 0,
	search_key  TEXT    NOT NULL
) STRICT;
INSERT INTO audit_new (id, org_id, at, actor, action, object, detail, search_key)
	SELECT id, org_id, at, actor, action, object, detail, search_key FROM audit;
DROP TABLE audit;
ALTER TABLE audit_new RENAME TO audit;
CREATE INDEX audit_org ON audit (org_id, id);
CREATE INDEX audit_at ON audit (at);
