-- What is to be told of an alert and its incidents outlives them, so that the
-- end of an incident is told though the alert was deleted.

ALTER TABLE deliveries
	DROP CONSTRAINT deliveries_alert_id_fkey,
	DROP CONSTRAINT deliveries_incident_id_fkey;
