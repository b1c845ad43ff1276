-- Through which door a suggestion came. Null for those that are older.
alter table document_changes add column origin text;

-- The passage that a thread is about: its words, what stands around them, and its place for editors. Null for a thread
-- about the whole document.
alter table document_threads add column anchor jsonb;
