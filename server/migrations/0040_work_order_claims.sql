-- Who works on a work order until when. The row stays when a claim ends, because the fencing token only ever grows.
create table work_order_claims (
  project_id uuid not null,
  work_order_id uuid not null,
  fencing_token bigint not null,
  -- Null, like the two below: nobody has claimed it.
  holder text,
  user_id uuid references users on delete set null,
  expires_at timestamptz(3),
  claimed_at timestamptz(3),
  primary key (project_id, work_order_id),
  foreign key (project_id, work_order_id) references work_orders on delete cascade
);
