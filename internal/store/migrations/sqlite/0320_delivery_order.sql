-- Until when a delivery is in somebody's hands, who is trying it or was cut
-- off while doing so; 0 once the outcome is on record. Deliveries of an alert
-- to a service wait for each other, also those of different incidents.

ALTER TABLE deliveries ADD COLUMN taken_until INTEGER NOT NULL DEFAULT 0;
CREATE INDEX deliveries_order ON deliveries (alert_id, service_id, status);
