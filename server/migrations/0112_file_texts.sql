-- The words in PDF, office and text files, which a job reads from the bytes so that people find them.
alter table artifacts add column file_text text;
-- Null until the job has read the file. Rows that are restored or imported have no text and are read again.
alter table artifacts add column text_read_at timestamptz(3);
create index artifacts_unread on artifacts (project_id, id) where type = 'file' and text_read_at is null;

-- A document has markdown, a file may have text: one index for both.
drop index artifacts_markdown;
create index artifacts_words on artifacts using gin ((coalesce(markdown_content, file_text)) gin_trgm_ops)
  where coalesce(markdown_content, file_text) is not null;
