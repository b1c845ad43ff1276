-- Which model the agents of a project use. Without a row, the operator's.
create table project_models (
  project_id uuid primary key references projects on delete cascade,
  source text not null check (source in ('operator', 'own', 'none')),
  base_url text,
  model text,
  sealed_key text,
  -- What a million tokens cost. Null: not known.
  input_price float8,
  output_price float8,
  check (source <> 'own' or base_url is not null and model is not null)
);

-- What the agents of each person used, by UTC days. The sums by automation are in model_usage.
create table person_usage (
  project_id uuid not null references projects on delete cascade,
  day date not null,
  user_id uuid not null references users on delete cascade,
  tokens bigint not null,
  cost numeric(20, 6) not null,
  primary key (project_id, day, user_id)
);

-- Whether an integration answered when it was last called, and with which tools.
alter table integrations
  add column checked_at timestamptz(3),
  -- Null if it answered.
  add column fault text,
  add column tools jsonb not null default '[]';
