-- The name of the reporting key that a report came through, or how the member who added it by hand heard of it. A name, not
-- the key: it stays true when the key is rotated, and in an export.
set local statement_timeout = 0;
set local maintenance_work_mem = '128MB';
alter table feedback_items
  add column source text not null default '',
  add column added_by uuid references users on delete set null;
update feedback_items i set source = k.name
from events e join api_keys k on k.id = e.key_id
where e.project_id = i.project_id and e.subject_id = i.id and e.kind = 'feedback_item.submitted';

-- The filters of the inbox. All of them read from the newest on. Reports of a project wait for each other, so the list of
-- texts that are not in the index yet is kept short: see 0082.
create index feedback_items_source on feedback_items (project_id, source, status, feedback_number);
create index feedback_items_person on feedback_items (project_id, lower(end_user_email), feedback_number);
create index feedback_items_created on feedback_items (project_id, created_at, feedback_number);
create index feedback_items_text on feedback_items using gin (markdown_content gin_trgm_ops)
  with (gin_pending_list_limit = 256);

-- Where a report that nobody has processed may belong, and which reports are like it. It is computed for what people look
-- at, and again after a theme was opened.
create table feedback_suggestions (
  project_id uuid not null,
  feedback_item_id uuid not null,
  requested_at timestamptz(3) not null,
  computed_at timestamptz(3),
  themes jsonb not null default '[]',
  similar_items jsonb not null default '[]',
  primary key (project_id, feedback_item_id),
  foreign key (project_id, feedback_item_id) references feedback_items on delete cascade
);
