-- The knowledge base: folders, with documents and files in them. Bytes lie in the store under `content_key`; the markdown
-- of a document is here as well. `name_key` is the name as names are compared, `folder_path` the names of all folders
-- above, written anew when one of them is renamed or moved.
create table artifacts (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  type text not null check (type in ('document', 'file', 'folder')),
  parent_id uuid,
  name text not null,
  name_key text collate "C" not null,
  folder_path text not null,
  content_type text,
  size_bytes bigint,
  content_key text,
  sha256 text,
  markdown_content text,
  created_by_id uuid references users on delete set null,
  created_by text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, id) references resources,
  foreign key (project_id, parent_id) references artifacts,
  check ((type = 'folder') = (content_key is null)),
  check ((type = 'document') = (markdown_content is not null))
);
-- The root has no row: the project stands for it.
create unique index artifacts_name on artifacts (project_id, coalesce(parent_id, project_id), name_key);
create index artifacts_order on artifacts (project_id, name_key, id);
create index artifacts_folder on artifacts (project_id, parent_id, name_key, id);
create index artifacts_text on artifacts using gin (name_key gin_trgm_ops);
create unique index artifacts_content on artifacts (content_key) where content_key is not null;
