create table automations (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  name text not null,
  enabled boolean not null,
  -- Which one of Slipway's own it is; null for what people made.
  built_in text,
  user_prompt text not null,
  tool_kit jsonb not null default '{}',
  model text,
  owner_id uuid references users on delete set null,
  -- How many runs it ever had, so that its history knows its `total` without counting.
  run_count integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, built_in)
);
create index automations_created on automations (project_id, created_at, id);

create table automation_triggers (
  project_id uuid not null,
  id uuid not null,
  automation_id uuid not null,
  position integer not null,
  trigger_type text not null,
  cron_expression text,
  timezone text,
  preset text,
  -- Null unless it is a schedule of an enabled automation.
  next_fire_at timestamptz(3),
  primary key (project_id, id),
  foreign key (project_id, automation_id) references automations on delete cascade
);
create index automation_triggers_automation on automation_triggers (project_id, automation_id, position);
create index automation_triggers_type on automation_triggers (project_id, trigger_type);
create index automation_triggers_due on automation_triggers (next_fire_at) where next_fire_at is not null;

-- The owner's integrations that an automation may use; also what is no longer connected.
create table automation_grants (
  project_id uuid not null,
  automation_id uuid not null,
  integration_id text not null,
  position integer not null,
  primary key (project_id, automation_id, integration_id),
  foreign key (project_id, automation_id) references automations on delete cascade
);

create table automation_runs (
  project_id uuid not null,
  id uuid not null,
  automation_id uuid not null,
  status text not null check (status in ('scheduled', 'running', 'succeeded', 'failed', 'cancelled')),
  trigger_type text not null,
  trigger_id uuid,
  -- What started it: a tick, an event of the log, or a person (neither).
  scheduled_for timestamptz(3),
  event_id bigint,
  subject_type text,
  subject_id uuid,
  cause jsonb not null default '{}',
  -- The automations whose runs led to this one: none of them is started by what it changes.
  lineage uuid[] not null default '{}',
  retry_of uuid,
  conversation_id uuid,
  model text,
  input_tokens integer,
  output_tokens integer,
  changes jsonb not null default '[]',
  error text,
  -- A running one belongs to a node for as long as that renews the lease.
  node_id uuid,
  leased_until timestamptz(3),
  cancel_requested_at timestamptz(3),
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  primary key (project_id, id),
  foreign key (project_id, automation_id) references automations on delete cascade
);
create index automation_runs_history on automation_runs (project_id, automation_id, id);
create index automation_runs_completed on automation_runs (project_id, automation_id, completed_at) include (status);
create index automation_runs_waiting on automation_runs (created_at, id) where status = 'scheduled';
create index automation_runs_leases on automation_runs (leased_until) where status = 'running';
-- Runs of one automation go one after the other, on whichever node.
create unique index automation_runs_running on automation_runs (project_id, automation_id) where status = 'running';
-- An event is delivered at least once and starts an automation at most once.
create unique index automation_runs_event on automation_runs (project_id, automation_id, event_id)
  where event_id is not null and retry_of is null;

-- Built-in automations belong to the project's first admin, who may join after the project was made, and pass to the
-- next one when that one leaves.
create function hand_over_built_in_automations() returns trigger language plpgsql as $$
declare
  changed uuid := case when tg_op = 'DELETE' then old.project_id else new.project_id end;
begin
  update automations a set owner_id = (
    select m.user_id from project_members m where m.project_id = changed and m.role = 'admin'
    order by m.created_at, m.user_id limit 1)
  where a.project_id = changed and a.built_in is not null and not exists (
    select 1 from project_members m
    where m.project_id = changed and m.user_id = a.owner_id and m.role = 'admin');
  return null;
end $$;

create trigger project_members_built_in_automations after insert or update of role or delete on project_members
  for each row execute function hand_over_built_in_automations();

-- Projects that are older than automations get what new ones are made with.
insert into automations (project_id, id, name, enabled, built_in, user_prompt, owner_id, created_at, updated_at)
select p.id, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
    || '8' || substr(md5(gen_random_uuid()::text), 1, 15))::uuid,
  'Feedback triage', false, 'feedback_triage', '',
  (select m.user_id from project_members m where m.project_id = p.id and m.role = 'admin'
    order by m.created_at, m.user_id limit 1), now(), now()
from projects p;
insert into automation_triggers (project_id, id, automation_id, position, trigger_type)
select project_id, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
    || '8' || substr(md5(gen_random_uuid()::text), 1, 15))::uuid, id, 0, 'feedback_submitted'
from automations where built_in = 'feedback_triage';
