-- The texts that a document of the knowledge base has had. A document has none until its text is written again: the first
-- is then stored with it, under the id of the document. Versions stay while the document is in the trash, outside of the
-- rows that are kept there, so they do not refer to it.
create table artifact_versions (
  project_id uuid not null references projects on delete cascade,
  artifact_id uuid not null,
  id uuid not null,
  version_number integer not null,
  markdown_content text not null,
  origin_type text not null,
  user_id uuid references users on delete set null,
  via jsonb,
  -- Until then, what people type is added to it.
  open_until timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (project_id, artifact_id, version_number),
  unique (project_id, id)
);

-- Who typed into a version besides the author that it names.
create table artifact_version_authors (
  project_id uuid not null,
  version_id uuid not null,
  user_id uuid not null references users on delete cascade,
  added_at timestamptz(3) not null,
  primary key (project_id, version_id, user_id),
  foreign key (project_id, version_id) references artifact_versions (project_id, id) on delete cascade
);
create index artifact_version_authors_user on artifact_version_authors (user_id);
