-- Where a requirement stands and who answers for it. A requirement without a row is a draft of nobody.
create table requirement_states (
  project_id uuid not null,
  document_id uuid not null,
  status text not null default 'draft' check (status in ('draft', 'in_review', 'retired')),
  owner_id uuid references users on delete set null,
  primary key (project_id, document_id),
  foreign key (project_id, document_id) references documents on delete cascade
);

-- Who approved which version. Later versions are not approved by it.
create table requirement_approvals (
  project_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  version_id uuid not null,
  version_number integer not null,
  user_id uuid references users on delete set null,
  approved_by_name text not null,
  approved_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, document_id, version_id, user_id),
  foreign key (project_id, document_id) references documents on delete cascade
);
