-- What the search looks through: one column, so that one scan of one index knows all words. Words have no line break,
-- so none is found across the end of a title. Written by PostgreSQL itself: it can never lag behind.
set local statement_timeout = 0;
set local maintenance_work_mem = '128MB';
drop index work_orders_text;
alter table work_orders add column search_text text not null
  generated always as (lower(title || E'\n' || markdown_content)) stored;
create index work_orders_text on work_orders using gin (search_text gin_trgm_ops);
-- For the filter of the list.
create index work_orders_title on work_orders using gin (title gin_trgm_ops);
