-- Who wrote a version besides the author that `document_versions` names: people who typed into it, and those whose
-- suggestions it accepts.
create table document_version_authors (
  project_id uuid not null,
  version_id uuid not null,
  user_id uuid not null references users on delete cascade,
  -- Tells an agent from the person it works for: the id of its automation, or 'agent'. Empty for people.
  agent text not null,
  origin_type text not null,
  via jsonb,
  added_at timestamptz(3) not null,
  primary key (project_id, version_id, user_id, agent),
  foreign key (project_id, version_id) references document_versions (project_id, id) on delete cascade
);
create index document_version_authors_user on document_version_authors (user_id);
