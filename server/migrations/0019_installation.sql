-- Keys of stored files begin with this id, so that installations can share a bucket and none removes another's files.
create table installation (
  only_row boolean primary key default true check (only_row),
  id uuid not null
);
insert into installation (id) values (gen_random_uuid());

-- The full key in the store: older uploads have keys without the installation's id and keep them.
alter table feedback_uploads add column store_key text;
update feedback_uploads set store_key = 'feedback/' || project_id || '/' || file_key;
alter table feedback_uploads alter column store_key set not null;
create unique index feedback_uploads_store_key on feedback_uploads (store_key);
