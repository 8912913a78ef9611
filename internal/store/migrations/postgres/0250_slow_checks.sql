-- From how many seconds on an answer is slow; 0 for never.

ALTER TABLE checks ADD COLUMN slow DOUBLE PRECISION NOT NULL DEFAULT 0;
