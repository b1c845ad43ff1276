-- What editors share while they edit a document together (Yjs), as it was when `version_id` had the content it has now.
-- It outlives the sessions, so that whoever was cut off for a while comes back to the same document and not to a copy
-- of it. The markdown stays the truth: where it has moved on, the state follows (see server/src/documents/live).
create table live_documents (
  project_id uuid not null,
  document_id uuid not null,
  version_id uuid not null,
  revision bigint not null,
  state bytea not null,
  primary key (project_id, document_id),
  foreign key (project_id, document_id) references documents on delete cascade
);

-- A version that live editing wrote takes in what its author goes on to write until then; all others never change.
alter table document_versions add column open_until timestamptz(3);
