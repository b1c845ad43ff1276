-- Deliveries are queued with their events, so a webhook has no position in the log any more, and no node owns it.
alter table webhooks
  drop column enabled_at, drop column node_id, drop column leased_until, drop column seen, drop column settled,
  drop column horizon, drop column mark, drop column mark_xmax, drop column marked_at;

-- Until then, a job is sending it.
alter table webhook_deliveries add column claimed_until timestamptz;
create index webhook_deliveries_claimed on webhook_deliveries (project_id, webhook_id) where claimed_until is not null;
drop index webhook_deliveries_waiting;
create index webhook_deliveries_waiting on webhook_deliveries (project_id, webhook_id, subject_id, event_id)
  where status = 'pending';
