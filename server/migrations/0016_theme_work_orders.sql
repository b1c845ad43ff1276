-- How many work orders a theme is connected to stands in its row, since every list shows it. Connections come and go through
-- many doors, also with what they connect, so the table itself keeps the count.
alter table themes add column linked_work_order_count integer not null default 0;
update themes t set linked_work_order_count = l.count from (
  select project_id, from_id, count(*)::int from context_links where to_type = 'work_order' group by project_id, from_id
) l where l.project_id = t.project_id and l.from_id = t.id;

create function count_theme_work_orders() returns trigger language plpgsql as $$
begin
  update themes t set linked_work_order_count = t.linked_work_order_count + l.more from (
    select project_id, from_id, (case tg_op when 'INSERT' then 1 else -1 end * count(*))::int as more
    from changed where to_type = 'work_order' group by project_id, from_id
  ) l where l.project_id = t.project_id and l.from_id = t.id;
  return null;
end $$;

create trigger context_links_inserted after insert on context_links referencing new table as changed
  for each statement execute function count_theme_work_orders();
create trigger context_links_deleted after delete on context_links referencing old table as changed
  for each statement execute function count_theme_work_orders();
