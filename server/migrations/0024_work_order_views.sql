-- A list of work orders under a name: the query of its address. Its owner sees it, or with `shared` everyone.
create table work_order_views (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  owner_id uuid not null references users on delete cascade,
  shared boolean not null,
  name text not null,
  query text not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
create index work_order_views_owner on work_order_views (owner_id);

-- Tells the accounts that agents work under from those of people.
create index events_agents on events (project_id, user_id) where origin = 'agent';
