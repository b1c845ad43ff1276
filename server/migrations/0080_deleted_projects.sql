-- A deleted project keeps its row until a job has removed everything that belonged to it. Nobody is a member of it any
-- more, so nothing of it can be reached, and its name is free.
alter table projects
  add column deleted_at timestamptz(3),
  -- Until when a node removes what belongs to it.
  add column removed_until timestamptz(3);
drop index projects_name;
create unique index projects_name on projects (organization_id, lower(name)) where deleted_at is null;
create index projects_deleted on projects (deleted_at) where deleted_at is not null;
