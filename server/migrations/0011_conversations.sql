-- Servers of tools that members connect for their agents. What they are reached with is sealed with a key that is not in
-- the database. A removed one stays, without its credentials, so that what was granted keeps its name.
create table integrations (
  project_id uuid not null references projects on delete cascade,
  id text not null,
  owner_id uuid not null references users on delete cascade,
  display_name text not null,
  url text,
  command_name text,
  sealed_token text,
  created_at timestamptz(3) not null default now(),
  removed_at timestamptz(3),
  primary key (project_id, id),
  check ((url is null) <> (command_name is null))
);
create index integrations_owner on integrations (project_id, owner_id) where removed_at is null;
create unique index integrations_name on integrations (project_id, owner_id, lower(display_name)) where removed_at is null;
