-- Waiting runs are taken from the project whose last run began longest ago.
create index automation_runs_started on automation_runs (project_id, started_at) where started_at is not null;
drop index automation_runs_waiting;
create index automation_runs_waiting on automation_runs (project_id, created_at, id) where status = 'scheduled';

-- Feedback that arrived while a run for feedback was waiting, and became part of it.
create table automation_run_items (
  project_id uuid not null,
  run_id uuid not null,
  automation_id uuid not null,
  event_id bigint not null,
  item_id uuid not null,
  primary key (project_id, run_id, event_id),
  foreign key (project_id, run_id) references automation_runs on delete cascade
);
create index automation_run_items_event on automation_run_items (project_id, automation_id, event_id);
