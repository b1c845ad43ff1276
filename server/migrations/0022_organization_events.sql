-- What happens to people and organizations, outside of any project. As in `events`, each row is written in the
-- transaction of the change that it tells of. Payloads hold no secrets.
create table organization_events (
  organization_id uuid not null references organizations on delete cascade,
  id bigint generated always as identity,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  user_id uuid,
  origin text not null,
  request_id text not null,
  payload jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index organization_events_subject on organization_events (organization_id, subject_id, id);
