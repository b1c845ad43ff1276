-- What an agent made belongs to the chain of causes that led to it: the first run, or the conversation, that began it.
alter table automations add column chain_id uuid, add column chain_depth integer not null default 0;
create index automations_chain on automations (project_id, chain_id, created_at) where chain_id is not null;

alter table automation_runs add column chain_id uuid, add column chain_depth integer not null default 0,
  -- The kit and the integrations of the agent that started it, which it cannot exceed; null when a person did.
  add column bounds jsonb;
update automation_runs set chain_id = id;
alter table automation_runs alter column chain_id set not null;
create index automation_runs_chain on automation_runs (project_id, chain_id, created_at);

-- Nothing of these chains starts any more.
create table stopped_chains (
  project_id uuid not null references projects on delete cascade,
  chain_id uuid not null,
  stopped_at timestamptz(3) not null default now(),
  primary key (project_id, chain_id)
);

-- The tools of a granted integration that may be used; null for all.
alter table automation_grants add column tools text[];
alter table conversations add column integration_tools jsonb not null default '{}';
