-- Where a sender sends from, to tell which networks a token needs. Empty where
-- it was not noted yet.

ALTER TABLE senders ADD COLUMN address TEXT NOT NULL DEFAULT '';
