-- A write that was begun has no end yet: its server may have stopped in the middle. `reason` says why a proposal was rejected
-- without a person's word on it; `depends_on` names the proposals whose results it refers to.
alter table agent_deeds drop constraint agent_deeds_status_check;
alter table agent_deeds add constraint agent_deeds_status_check
  check (status in ('begun', 'done', 'proposed', 'accepted', 'rejected', 'undone'));
alter table agent_deeds add column reason text, add column depends_on uuid[] not null default '{}';

-- One person at a time decides about what a run did or proposes. Others wait until then at most.
alter table automation_runs add column reviewed_until timestamptz(3);

-- The rows that a deletion by an agent removed, so that a person can take it back for some time.
create table kept_rows (
  project_id uuid not null,
  deed_id uuid not null,
  resource_type text not null,
  ids uuid[] not null,
  -- Text, because numbers must come back as they were.
  rows text not null,
  before jsonb not null,
  -- Bytes that would be removed with them.
  store_keys text[] not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, deed_id),
  foreign key (project_id, deed_id) references agent_deeds on delete cascade
);
create index kept_rows_created on kept_rows (created_at);
create index kept_rows_keys on kept_rows using gin (store_keys);
