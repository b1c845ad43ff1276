-- The version of a document at which a link to it was last confirmed. Links come and go through many doors, so the table of
-- links itself keeps this up: a new link is confirmed with the version that its document has. A write that replaces all
-- links of something deletes and inserts those that stay; they keep their version, because it is one transaction.
create table link_confirmations (
  project_id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  version_number integer not null,
  confirmed_at timestamptz(3) not null default now(),
  confirmed_by uuid references users on delete set null,
  -- The transaction that deleted the link.
  unlinked_by xid8,
  primary key (project_id, from_id, to_id),
  foreign key (project_id, from_id) references resources on delete cascade,
  foreign key (project_id, to_id) references resources on delete cascade
);
create index link_confirmations_to on link_confirmations (project_id, to_id);

insert into link_confirmations (project_id, from_id, to_id, version_number)
select l.project_id, l.from_id, l.to_id, d.version_number
from context_links l join documents d on d.project_id = l.project_id and d.id = l.to_id;

create function confirm_new_links() returns trigger language plpgsql as $$
begin
  insert into link_confirmations as c (project_id, from_id, to_id, version_number)
  select l.project_id, l.from_id, l.to_id, d.version_number
  from changed l join documents d on d.project_id = l.project_id and d.id = l.to_id
  where l.to_type in ('requirements_document', 'blueprint')
  on conflict (project_id, from_id, to_id) do update set unlinked_by = null,
    version_number = case when c.unlinked_by = pg_current_xact_id() then c.version_number else excluded.version_number end,
    confirmed_at = case when c.unlinked_by = pg_current_xact_id() then c.confirmed_at else excluded.confirmed_at end,
    confirmed_by = case when c.unlinked_by = pg_current_xact_id() then c.confirmed_by end;
  return null;
end $$;

create function note_deleted_links() returns trigger language plpgsql as $$
begin
  update link_confirmations c set unlinked_by = pg_current_xact_id()
  from changed l where l.to_type in ('requirements_document', 'blueprint')
    and c.project_id = l.project_id and c.from_id = l.from_id and c.to_id = l.to_id;
  return null;
end $$;

create trigger context_links_confirmed after insert on context_links referencing new table as changed
  for each statement execute function confirm_new_links();
create trigger context_links_unconfirmed after delete on context_links referencing old table as changed
  for each statement execute function note_deleted_links();
