-- What models were asked for, by day: for budgets. `automation_id` is all zeros for conversations with people.
create table model_usage (
  project_id uuid not null references projects on delete cascade,
  day date not null,
  automation_id uuid not null,
  model text not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  -- By the operator's prices at that time; 0 without one.
  cost numeric(20, 6) not null,
  primary key (project_id, day, automation_id, model)
);

-- How much an automation may use; all zeros for all automations of the project together.
create table automation_budgets (
  project_id uuid not null references projects on delete cascade,
  automation_id uuid not null,
  limits jsonb not null,
  -- The periods whose end was announced.
  warned_for text[] not null default '{}',
  paused_reason text,
  paused_until timestamptz(3),
  primary key (project_id, automation_id)
);

-- `concurrency` is what happens to a run while another one goes on; null: schedules skip it, the others queue it.
alter table automations add column concurrency text check (concurrency in ('skip', 'queue', 'parallel')),
  add column paused_reason text;
alter table automation_runs add column parallel boolean not null default false, add column cost numeric(20, 6);
drop index automation_runs_running;
create unique index automation_runs_running on automation_runs (project_id, automation_id)
  where status = 'running' and not parallel;
