-- Which pages may use a reporting key from a browser; null means all.
alter table api_keys add column allowed_origins text[];

-- What customers say (FB-7), as their application sent it.
create table feedback_items (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  feedback_number integer not null,
  title text not null,
  status text not null,
  end_user_email text not null,
  markdown_content text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, feedback_number),
  foreign key (project_id, id) references resources
);
create index feedback_items_status on feedback_items (project_id, status, feedback_number);

-- Files that came through the reporting API; the bytes lie in the store, under a key that ends in this one.
create table feedback_uploads (
  project_id uuid not null references projects on delete cascade,
  file_key text not null,
  file_name text not null,
  file_size bigint not null,
  mime_type text not null,
  sha256 text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, file_key)
);
create index feedback_uploads_created on feedback_uploads (created_at);

-- What a report says about its files. The key may name a file that never comes.
create table feedback_attachments (
  project_id uuid not null,
  id uuid not null,
  feedback_item_id uuid not null,
  position integer not null,
  file_name text not null,
  file_key text not null,
  file_size bigint not null,
  mime_type text not null,
  primary key (project_id, id),
  foreign key (project_id, feedback_item_id) references feedback_items on delete cascade
);
create index feedback_attachments_item on feedback_attachments (project_id, feedback_item_id, position);
create index feedback_attachments_key on feedback_attachments (project_id, file_key);

-- What several items have in common (TH-3). `origin` says who made it; `pinned_at` since when a person has had a hand
-- in it, so that what works by itself leaves it alone.
create table themes (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  theme_number integer not null,
  title text not null,
  description text not null,
  markdown_content text not null,
  status text not null,
  type text not null,
  priority text not null,
  assignee_id uuid references users on delete set null,
  feature_id uuid,
  quote_count integer not null default 0,
  origin text not null,
  pinned_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, theme_number),
  foreign key (project_id, id) references resources,
  foreign key (project_id, feature_id) references resources on delete set null (feature_id)
);
create index themes_status on themes (project_id, status, theme_number);
create index themes_feature on themes (project_id, feature_id) where feature_id is not null;

-- An item in a theme, with the words that put it there.
create table quotes (
  project_id uuid not null,
  id uuid not null,
  theme_id uuid not null,
  feedback_item_id uuid not null,
  text_excerpt text not null,
  origin text not null,
  pinned_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, theme_id, feedback_item_id),
  foreign key (project_id, theme_id) references themes on delete cascade,
  foreign key (project_id, feedback_item_id) references feedback_items on delete cascade
);
create index quotes_item on quotes (project_id, feedback_item_id, id);
