-- Where GitHub and GitLab tell of pushes and pull requests.
create table code_hosts (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('github', 'gitlab')),
  name text not null,
  sealed_secret text not null,
  -- What happens to the work orders that a pull request names.
  reviews_opened boolean not null,
  completes_merged boolean not null,
  created_by uuid references users on delete set null,
  created_at timestamptz(3) not null default now(),
  last_received_at timestamptz(3),
  primary key (project_id, id)
);
create unique index code_hosts_id on code_hosts (id);

-- What was received, so that the same is not done twice.
create table code_host_receipts (
  project_id uuid not null,
  code_host_id uuid not null,
  delivery_id text not null,
  received_at timestamptz(3) not null default now(),
  primary key (project_id, code_host_id, delivery_id),
  foreign key (project_id, code_host_id) references code_hosts on delete cascade
);

-- The commits and pull requests that name a work order. They stay when their host is removed.
create table work_order_code (
  project_id uuid not null,
  work_order_id uuid not null,
  kind text not null check (kind in ('commit', 'pull_request')),
  repository text not null,
  -- The hash of a commit, the number of a pull request.
  reference text not null,
  title text not null,
  url text not null,
  author text,
  -- Of a pull request.
  state text check (state in ('draft', 'open', 'merged', 'closed')),
  -- The host's time of the last change, so that what arrives late does not undo it.
  changed_at timestamptz(3) not null,
  primary key (project_id, work_order_id, kind, repository, reference),
  foreign key (project_id, work_order_id) references work_orders on delete cascade
);
