-- Which organizations have something due is asked for every time, so that
-- they can take turns.

DROP INDEX deliveries_due;
CREATE INDEX deliveries_due ON deliveries (status, due_at, org_id);
CREATE INDEX deliveries_due_org ON deliveries (org_id, status, due_at);
