create table projects (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  created_at timestamptz(3) not null default now()
);
create unique index projects_name on projects (organization_id, lower(name));

create table project_members (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('editor', 'admin', 'viewer')),
  created_at timestamptz(3) not null default now(),
  primary key (project_id, user_id)
);
create index project_members_user on project_members (user_id);

-- A key is stored as its SHA-256 only.
create table api_keys (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('external', 'reporting')),
  name text not null,
  sha256 text not null unique,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index api_keys_project on api_keys (project_id);

-- One number that moves with every change of who may do what. Nodes keep keys in memory for as long as it stands still.
create table access_revision (
  only_row boolean primary key default true check (only_row),
  revision bigint not null
);
insert into access_revision (revision) values (1);

create function bump_access_revision() returns trigger language plpgsql as $$
begin
  update access_revision set revision = revision + 1;
  return null;
end $$;

create trigger api_keys_access after delete or update of revoked_at, expires_at, project_id, user_id, kind on api_keys
  for each statement execute function bump_access_revision();
create trigger project_members_access after insert or update or delete on project_members
  for each statement execute function bump_access_revision();
create trigger organization_members_access after insert or update or delete on organization_members
  for each statement execute function bump_access_revision();
create trigger users_access after delete or update of name, email on users
  for each statement execute function bump_access_revision();

-- Numbers that people see (WO 12, FB-7): counted up under the row's lock, never reused. `live` counts what exists now.
create table counters (
  project_id uuid not null references projects on delete cascade,
  name text not null,
  last_number integer not null default 0,
  live integer not null default 0,
  primary key (project_id, name)
);
