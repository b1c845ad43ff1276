-- What an answer that is being made may use, so that answers that are made at the same time see each other. A row is
-- replaced by what the answer used; one that a stopped server left behind expires.
create table model_reservations (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  automation_id uuid not null,
  payer_ids uuid[] not null default '{}',
  tokens bigint not null,
  cost numeric(20, 6) not null,
  expires_at timestamptz(3) not null,
  primary key (project_id, id)
);
