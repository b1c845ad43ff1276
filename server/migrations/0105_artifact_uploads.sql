-- Files that arrive in parts, so that an upload can go on after a lost connection. Each part is in the store under its own
-- key until all of them are there.
create table artifact_uploads (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  user_id uuid not null references users on delete cascade,
  size_bytes bigint not null,
  content_type text not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
create index artifact_uploads_age on artifact_uploads (created_at);

create table artifact_upload_parts (
  project_id uuid not null,
  upload_id uuid not null,
  number integer not null,
  content_key text not null,
  size_bytes bigint not null,
  primary key (project_id, upload_id, number),
  foreign key (project_id, upload_id) references artifact_uploads on delete cascade
);
create unique index artifact_upload_parts_key on artifact_upload_parts (content_key);
