-- The servers that use this database, each as long as it says so.

CREATE TABLE nodes (
	id         TEXT   NOT NULL PRIMARY KEY,
	address    TEXT   NOT NULL,
	version    TEXT   NOT NULL,
	engine     TEXT   NOT NULL,
	started_at INTEGER NOT NULL,
	seen_at    INTEGER NOT NULL
) STRICT;
