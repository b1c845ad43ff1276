-- How often each key and connected app called, by UTC days. Nodes count in memory and add here every second.
create table agent_calls (
  project_id uuid not null references projects on delete cascade,
  -- Of api_keys or oauth_grants.
  key_id uuid not null,
  day date not null,
  calls bigint not null,
  -- The tool or operation of the last call.
  last_call text not null,
  last_at timestamptz(3) not null,
  primary key (project_id, key_id, day)
);
create index agent_calls_day on agent_calls (day);
