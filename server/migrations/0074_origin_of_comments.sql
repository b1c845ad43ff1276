-- Through which door a comment on a document came. Null for those that are older.
alter table document_messages add column origin text;
