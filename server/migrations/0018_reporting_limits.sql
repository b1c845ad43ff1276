-- How many bytes the files of a project's reports take up. Whoever has a reporting key may upload, so they have a quota.
create table feedback_storage (
  project_id uuid primary key references projects on delete cascade,
  stored_bytes bigint not null
);
insert into feedback_storage (project_id, stored_bytes)
select project_id, sum(file_size) from feedback_uploads group by project_id;

-- How many bytes came with each reporting key in its running hour.
create unlogged table feedback_upload_hours (
  project_id uuid not null,
  key_id uuid not null,
  started_at timestamptz(3) not null,
  uploaded_bytes bigint not null,
  primary key (project_id, key_id)
);
