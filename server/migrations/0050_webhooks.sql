-- Addresses that are told of the events of a project. Each is a reader of the event log with a position of its own.
create table webhooks (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  name text not null,
  url text not null,
  -- Kinds such as `work_order.created` or `work_order.*`. Null: all.
  event_kinds text[],
  sealed_secret text not null,
  -- Also signs until then.
  previous_sealed_secret text,
  previous_secret_until timestamptz(3),
  enabled boolean not null,
  disabled_reason text,
  -- Events that began earlier are not sent.
  enabled_at timestamptz not null,
  created_by uuid references users on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- When the first of an unbroken row of failures was.
  failing_since timestamptz(3),
  -- The node that delivers, until when.
  node_id uuid,
  leased_until timestamptz(3),
  -- Ids are given out before transactions commit, so a lower one can appear after a higher one. Every event up to `seen`
  -- is queued, unless its transaction is `horizon` or a later one. Up to `settled`, nothing more can appear. Once all
  -- transactions before `mark_xmax` have ended, everything up to `mark` is settled.
  seen bigint not null,
  settled bigint not null,
  horizon xid8 not null,
  mark bigint,
  mark_xmax xid8,
  marked_at timestamptz,
  primary key (project_id, id)
) with (fillfactor = 50);

-- What was sent, or will be. It has no foreign keys, because each row would check them while 1,000 are written a second;
-- rows without a webhook are forgotten with the old ones. All that waits for one subject has the same or a rising time, so that its order is kept.
create table webhook_deliveries (
  project_id uuid not null,
  webhook_id uuid not null,
  event_id bigint not null,
  subject_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz(3),
  duration_ms integer,
  response_status smallint,
  response_excerpt text,
  error text,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, webhook_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (project_id, webhook_id, next_attempt_at, event_id)
  where status = 'pending';
create index webhook_deliveries_waiting on webhook_deliveries (project_id, webhook_id, subject_id, next_attempt_at)
  where status = 'pending';
