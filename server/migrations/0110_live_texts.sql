-- The documents of the knowledge base are edited live too, so the shared states belong to resources of any kind.
-- `version` is the version of the text that the state matches. `source` is that text, where its owner keeps no versions.
create table live_texts (
  project_id uuid not null,
  id uuid not null,
  version text not null,
  revision bigint not null,
  state bytea not null,
  source text,
  primary key (project_id, id),
  foreign key (project_id, id) references resources on delete cascade
);

insert into live_texts (project_id, id, version, revision, state)
select project_id, document_id, version_id::text, revision, state from live_documents;

drop table live_documents;
