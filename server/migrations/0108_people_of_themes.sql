-- Lists rank themes by how many people they come from and show when those people reported it. Both are properties of the
-- quoted reports, so every quote repeats them: a list does not read 500,000 reports.
alter table quotes add column person text collate "C", add column reported_at timestamptz(3);
update quotes q set person = lower(i.end_user_email), reported_at = i.created_at
from feedback_items i where i.project_id = q.project_id and i.id = q.feedback_item_id;
alter table quotes alter column person set not null, alter column reported_at set not null;
create index quotes_reported on quotes (project_id, theme_id, reported_at, id) include (person);

create function repeat_report_in_quote() returns trigger language plpgsql as $$
begin
  select lower(i.end_user_email), i.created_at into new.person, new.reported_at from feedback_items i
  where i.project_id = new.project_id and i.id = new.feedback_item_id;
  return new;
end $$;
create trigger quotes_repeat_report before insert on quotes for each row execute function repeat_report_in_quote();

-- Quotes come and go through many doors, so the table itself keeps the count.
alter table themes add column people_count integer not null default 0;
update themes t set people_count = q.people from (
  select project_id, theme_id, count(distinct person)::int as people from quotes group by project_id, theme_id
) q where q.project_id = t.project_id and q.theme_id = t.id;

create function count_theme_people() returns trigger language plpgsql as $$
begin
  update themes t set people_count = (
    select count(distinct q.person) from quotes q where q.project_id = t.project_id and q.theme_id = t.id)
  where (t.project_id, t.id) in (select project_id, theme_id from changed);
  return null;
end $$;
create function count_people_of_moved_quotes() returns trigger language plpgsql as $$
begin
  update themes t set people_count = (
    select count(distinct q.person) from quotes q where q.project_id = t.project_id and q.theme_id = t.id)
  where (t.project_id, t.id) in (
    select n.project_id, unnest(array[o.theme_id, n.theme_id])
    from moved_to n join moved_from o on o.project_id = n.project_id and o.id = n.id where o.theme_id <> n.theme_id);
  return null;
end $$;
create trigger quotes_people_inserted after insert on quotes referencing new table as changed
  for each statement execute function count_theme_people();
create trigger quotes_people_deleted after delete on quotes referencing old table as changed
  for each statement execute function count_theme_people();
create trigger quotes_people_moved after update on quotes referencing old table as moved_from new table as moved_to
  for each statement execute function count_people_of_moved_quotes();

-- What a person merged, split or moved, with the rows as they were before, so that it can be undone for a while.
create table theme_regroupings (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  kind text not null,
  from_theme_id uuid not null,
  into_theme_id uuid not null,
  kept text not null,
  -- The resources that the theme was connected to only because of this.
  connected_ids uuid[] not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
create index theme_regroupings_created on theme_regroupings (created_at);
