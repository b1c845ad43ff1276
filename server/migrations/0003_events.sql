-- Every write leaves a row here, in its own transaction. History, live updates, webhooks and automations read it.
create table events (
  project_id uuid not null references projects on delete cascade,
  id bigint generated always as identity,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  user_id uuid,
  key_id uuid,
  origin text not null,
  request_id text not null,
  payload jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
create index events_subject on events (project_id, subject_id, id);

-- What a safely repeatable request was answered.
create table replays (
  project_id uuid not null references projects on delete cascade,
  scope text not null,
  key text not null,
  request_sha256 text not null,
  status smallint not null,
  headers jsonb not null,
  body text not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, scope, key)
);
create index replays_created on replays (created_at);

-- Request counts of the running minute. Unlogged: losing them in a crash only opens a new window.
create unlogged table rate_windows (
  project_id uuid not null,
  key_id uuid not null,
  started_at timestamptz(3) not null,
  used integer not null,
  primary key (project_id, key_id)
);
