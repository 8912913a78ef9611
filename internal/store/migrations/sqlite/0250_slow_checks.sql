-- From how many seconds on an answer is slow; 0 for never.

ALTER TABLE checks ADD COLUMN slow REAL NOT NULL DEFAULT 0;
