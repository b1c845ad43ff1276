create extension if not exists pg_trgm;

create table phases (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  phase_number integer not null,
  title text not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  unique (project_id, phase_number) deferrable initially deferred
);

create table labels (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  title text not null,
  color text not null,
  archived boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
create unique index labels_title on labels (project_id, lower(title));

create table work_orders (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  work_order_number integer not null,
  title text not null,
  status text not null,
  priority text not null,
  type text not null,
  phase_id uuid,
  assignee_id uuid references users on delete set null,
  markdown_content text not null,
  description_snippet text not null,
  implementation_plan jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, work_order_number),
  foreign key (project_id, id) references resources,
  foreign key (project_id, phase_id) references phases
);
create index work_orders_status on work_orders (project_id, status, work_order_number);
create index work_orders_updated on work_orders (project_id, updated_at, work_order_number);
create index work_orders_priority on work_orders (
  project_id, (array_position(array['urgent', 'high', 'medium', 'low', 'no_priority'], priority)), work_order_number);
create index work_orders_phase on work_orders (project_id, phase_id) where phase_id is not null;
create index work_orders_assignee on work_orders (project_id, assignee_id) where assignee_id is not null;
create index work_orders_text on work_orders using gin (title gin_trgm_ops, markdown_content gin_trgm_ops);

create table work_order_labels (
  project_id uuid not null,
  work_order_id uuid not null,
  label_id uuid not null,
  primary key (project_id, work_order_id, label_id),
  foreign key (project_id, work_order_id) references work_orders on delete cascade,
  foreign key (project_id, label_id) references labels
);
create index work_order_labels_label on work_order_labels (project_id, label_id);

create table work_order_comments (
  project_id uuid not null,
  id uuid not null,
  work_order_id uuid not null,
  author_id uuid references users on delete set null,
  markdown_content text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, work_order_id) references work_orders on delete cascade
);
create index work_order_comments_thread on work_order_comments (project_id, work_order_id, id);

create table work_order_comment_artifacts (
  project_id uuid not null,
  comment_id uuid not null,
  artifact_id uuid not null,
  position integer not null,
  primary key (project_id, comment_id, artifact_id),
  foreign key (project_id, comment_id) references work_order_comments on delete cascade,
  foreign key (project_id, artifact_id) references resources on delete cascade
);
create index work_order_comment_artifacts_artifact on work_order_comment_artifacts (project_id, artifact_id);
