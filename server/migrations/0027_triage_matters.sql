-- What the sorting of feedback without a model read in each report: whether it is feedback, and its matters with the
-- features they are compared by. Read again where `version` is not the program's or `encoder` not the configured one.
drop table triage_features;
create table triage_readings (
  project_id uuid not null,
  feedback_item_id uuid not null,
  version integer not null,
  encoder text not null,
  verdict text not null,
  matters jsonb not null,
  primary key (project_id, feedback_item_id),
  foreign key (project_id, feedback_item_id) references feedback_items on delete cascade
);

-- Which matter of the item a quote is about, and why triage put it there. Null where a person did.
alter table quotes add column matter smallint, add column reason text;

-- What people taught: the item does not belong to the theme; without a theme, it is not feedback.
create table triage_lessons (
  project_id uuid not null,
  feedback_item_id uuid not null,
  theme_id uuid,
  created_at timestamptz(3) not null,
  unique nulls not distinct (project_id, feedback_item_id, theme_id),
  foreign key (project_id, feedback_item_id) references feedback_items on delete cascade,
  foreign key (project_id, theme_id) references themes on delete cascade
);
