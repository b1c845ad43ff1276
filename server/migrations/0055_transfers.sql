-- Exports of a project and imports into it. The node that works on one says so in `seen_at`; whoever finds it silent for
-- too long takes it over under a new `lease_id`.
create table transfers (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('export', 'project', 'work_orders', 'documents')),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  requested_by uuid references users on delete set null,
  options jsonb not null default '{}',
  -- The file of an export once it is there, or the one to import until that is over.
  file_key text,
  file_name text not null,
  file_size bigint,
  file_sha256 text,
  -- How far it is: steps done and in all, and what was written, by kind.
  done bigint not null default 0,
  total bigint,
  counts jsonb not null default '{}',
  problems jsonb not null default '[]',
  error text,
  attempts integer not null default 0,
  lease_id uuid,
  seen_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (project_id, id)
);
create index transfers_going_on on transfers (state) where state in ('waiting', 'running');
create index transfers_files on transfers (file_key) where file_key is not null;

-- What work orders were called where they came from, so that a second import does not bring them again.
create table imported_work_orders (
  project_id uuid not null,
  source text not null,
  external_key text not null,
  work_order_id uuid not null,
  primary key (project_id, source, external_key),
  foreign key (project_id, work_order_id) references work_orders on delete cascade
);
create index imported_work_orders_work_order on imported_work_orders (project_id, work_order_id);
