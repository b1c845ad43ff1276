-- Servers of tools that members connect for their agents. What they are reached with is sealed with a key that is not in
-- the database. A removed one stays, without its credentials, so that what was granted keeps its name.
create table integrations (
  project_id uuid not null references projects on delete cascade,
  id text not null,
  owner_id uuid not null references users on delete cascade,
  display_name text not null,
  url text,
  command_name text,
  sealed_token text,
  created_at timestamptz(3) not null default now(),
  removed_at timestamptz(3),
  primary key (project_id, id),
  check ((url is null) <> (command_name is null))
);
create index integrations_owner on integrations (project_id, owner_id) where removed_at is null;
create unique index integrations_name on integrations (project_id, owner_id, lower(display_name)) where removed_at is null;

-- A turn is what an agent does until it has answered. The node that runs it says so every few seconds in `turn_seen_at`;
-- whoever finds it silent for too long may end the turn.
create table conversations (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  owner_id uuid not null references users on delete cascade,
  origin text not null check (origin in ('user', 'automation', 'subagent')),
  parent_id uuid,
  title text not null,
  model text,
  tool_kit jsonb not null,
  integration_ids text[] not null,
  automation_id uuid,
  automation_name text,
  run_id uuid,
  last_event_number integer not null default 0,
  turn_id uuid,
  turn_started_at timestamptz(3),
  turn_seen_at timestamptz(3),
  turn_stop boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);
create index conversations_listed on conversations (project_id, owner_id, updated_at desc, id desc)
  where origin <> 'subagent';
create index conversations_turn on conversations (turn_seen_at) where turn_id is not null;

-- Append-only: what was said and done, as far as it may be read. Reasoning and credentials never get here.
create table conversation_events (
  project_id uuid not null,
  conversation_id uuid not null,
  number integer not null,
  id uuid not null,
  turn_id uuid not null,
  kind text not null check (kind in ('user', 'assistant', 'tool_call', 'tool_result')),
  text text not null,
  is_final boolean not null,
  tool_name text,
  tool_call_id text,
  tool_status text,
  created_at timestamptz(3) not null,
  primary key (project_id, conversation_id, number),
  unique (project_id, id),
  foreign key (project_id, conversation_id) references conversations on delete cascade
);

-- What an agent has changed is read from the event log by the name of its turn.
create index events_by_agents on events (project_id, request_id) where origin in ('agent', 'automation');

-- Keys that all nodes must have in common and that are of no use to whoever can read the database anyway.
create table shared_secrets (
  name text primary key,
  value text not null
);
