-- How names (tag is empty then) and values of tags are shown: as they first
-- came. Only those that have letters in upper case are here.

CREATE TABLE spellings (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	org_id   INTEGER NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
	tag      TEXT    NOT NULL,
	text_key TEXT    NOT NULL,
	text     TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX spellings_text ON spellings (org_id, tag, text_key);
CREATE INDEX spellings_id ON spellings (org_id, id);
