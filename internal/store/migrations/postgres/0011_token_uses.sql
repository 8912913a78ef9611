-- Who made a token, and what each is used for: so that a narrower role can
-- say beforehand what it would refuse.

ALTER TABLE tokens ADD COLUMN created_by TEXT NOT NULL DEFAULT '';

CREATE TABLE token_uses (
	token_id BIGINT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
	action   BIGINT NOT NULL,
	noun     TEXT    NOT NULL,
	day      BIGINT NOT NULL,
	requests BIGINT NOT NULL,
	PRIMARY KEY (token_id, action, noun, day)
);
