-- A comment that its author deletes keeps its row for a day, so that Undo brings it back.
alter table document_messages add column edited_at timestamptz(3);
alter table document_messages add column deleted_at timestamptz(3);
-- Set with the last message of a thread that is deleted.
alter table document_threads add column deleted_at timestamptz(3);
