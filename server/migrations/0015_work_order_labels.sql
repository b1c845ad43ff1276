-- The labels of a work order stand in its row: every read shows them, and labels are archived, never deleted.
alter table work_orders add column label_ids uuid[] not null default '{}';
update work_orders w set label_ids = array(
  select l.label_id from work_order_labels l where l.project_id = w.project_id and l.work_order_id = w.id)
where exists (select from work_order_labels l where l.project_id = w.project_id and l.work_order_id = w.id);
create index work_orders_labels on work_orders using gin (label_ids);
drop table work_order_labels;
