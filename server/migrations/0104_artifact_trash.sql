-- What people deleted from the knowledge base, until it is restored, deleted for good or 30 days old. `id` is that of the
-- artifact; a folder is kept with everything in it.
create table artifact_trash (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  type text not null,
  name text not null,
  folder_path text not null,
  size_bytes bigint,
  ids uuid[] not null,
  -- Text, because numbers must come back as they were.
  rows text not null,
  -- Bytes that belong to the rows.
  store_keys text[] not null,
  deleted_by_id uuid references users on delete set null,
  deleted_by text not null,
  deleted_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
create index artifact_trash_order on artifact_trash (project_id, deleted_at desc, id);
create index artifact_trash_age on artifact_trash (deleted_at);
create index artifact_trash_keys on artifact_trash using gin (store_keys);

-- People search the knowledge base for words in documents.
create index artifacts_markdown on artifacts using gin (markdown_content gin_trgm_ops) where markdown_content is not null;
