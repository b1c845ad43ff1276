-- Which trigrams a document's content has, for the search (see server/src/documents/search). A row may be missing, or may
-- describe another content than the document has now (`content_tag` differs), or in another way (`format`): then the
-- search looks at the document itself. So nothing is written here when a document is written; the search brings the rows
-- up to date when it finds them late.
alter table documents add column content_tag bigint not null
  generated always as (hashtextextended(markdown_content, 0)) stored;

create table document_search (
  project_id uuid not null,
  document_id uuid not null,
  content_tag bigint not null,
  format text not null,
  signature bytea not null,
  primary key (project_id, document_id),
  foreign key (project_id, document_id) references documents on delete cascade
);
-- At most 4 KB, and looked at bit by bit: it must not be moved out of the row, nor compressed.
alter table document_search alter column signature set storage plain;
