-- Which agent has claimed a work order: its key or connected app, and the name that it had then.
alter table work_order_claims
  add column agent_id uuid,
  add column agent_name text;
