-- When the content of a file is replaced, the earlier content goes to the trash as a file of its own. This is the file that
-- had it.
alter table artifact_trash add column replaced_id uuid;
create index artifact_trash_replaced on artifact_trash (project_id, replaced_id, deleted_at desc)
  where replaced_id is not null;
