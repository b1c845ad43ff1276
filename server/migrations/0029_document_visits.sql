-- The version of a document that a person has seen last.
create table document_visits (
  project_id uuid not null,
  document_id uuid not null,
  user_id uuid not null references users on delete cascade,
  version_number integer not null,
  seen_at timestamptz(3) not null,
  primary key (project_id, document_id, user_id),
  foreign key (project_id, document_id) references documents on delete cascade
);
create index document_visits_user on document_visits (user_id);
