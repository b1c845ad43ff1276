-- The calls with which a run changed something, or would have: what was there before and after, and what became of it.
create table agent_deeds (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  run_id uuid not null,
  number bigint generated always as identity,
  tool text not null,
  input jsonb not null,
  status text not null check (status in ('done', 'proposed', 'accepted', 'rejected', 'undone')),
  resource_type text,
  resource_id uuid,
  before jsonb,
  after jsonb,
  decided_by uuid references users on delete set null,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
create index agent_deeds_run on agent_deeds (project_id, run_id, number);

-- `proposes`: its writes are kept as proposals. `input` is what a person adds to a manual run.
alter table automations add column approval text not null default 'none' check (approval in ('none', 'required'));
alter table automation_runs add column proposes boolean not null default false, add column input text;

-- Which events start it: of some statuses, with a label, of some paths. Null for all.
alter table automation_triggers add column filter jsonb;

-- The automation, and its run, that made it beside the person it acted for.
alter table document_versions add column via jsonb;
alter table document_changes add column via jsonb;
alter table document_messages add column via jsonb;
alter table work_order_comments add column via jsonb;
