-- What a token is narrowed to, as JSON: metrics and tags that it may send, and
-- networks that it may be used from. And for how many days the tokens of an
-- organization may be valid; 0 is for ever.
ALTER TABLE tokens ADD COLUMN scope TEXT NOT NULL DEFAULT '{}';
ALTER TABLE tokens ADD COLUMN networks TEXT NOT NULL DEFAULT '[]';
ALTER TABLE orgs ADD COLUMN token_max_days BIGINT NOT NULL DEFAULT 0;
