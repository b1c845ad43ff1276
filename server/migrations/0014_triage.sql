-- What the sorting of feedback without a model compares texts by; made anew where `version` is not the program's.
create table triage_features (
  project_id uuid not null,
  feedback_item_id uuid not null,
  version integer not null,
  meaning bytea not null,
  terms text[] not null,
  primary key (project_id, feedback_item_id),
  foreign key (project_id, feedback_item_id) references feedback_items on delete cascade
);

-- How many items were sorted since the themes were last looked over.
create table triage_progress (
  project_id uuid primary key references projects on delete cascade,
  sorted_since integer not null
);
