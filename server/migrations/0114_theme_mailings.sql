-- What the people of a theme are told when its work is done. A mailing has one text for each language.
create table theme_mailings (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  theme_id uuid not null,
  created_by uuid references users on delete set null,
  created_at timestamptz(3) not null default now(),
  by_hand boolean not null,
  -- Where the links in its mails lead. Jobs do not know the address of the server.
  base_url text not null,
  texts jsonb not null,
  primary key (project_id, id),
  foreign key (project_id, theme_id) references themes on delete cascade
);
create index theme_mailings_theme on theme_mailings (project_id, theme_id, created_at);

-- One mail for each person. A mail is claimed before it is sent, and a claim is never taken twice: after a crash, nobody gets
-- the same mail again unless a person says so.
create table theme_mails (
  project_id uuid not null,
  mailing_id uuid not null,
  person text collate "C" not null,
  end_user_email text not null,
  language text not null,
  text_excerpt text not null,
  reported_at timestamptz(3) not null,
  status text not null,
  error text,
  -- It may have arrived although it was not confirmed.
  is_uncertain boolean not null default false,
  claimed_at timestamptz(3),
  primary key (project_id, mailing_id, person),
  foreign key (project_id, mailing_id) references theme_mailings on delete cascade
);
create index theme_mails_person on theme_mails (project_id, person);
create index theme_mails_claimed on theme_mails (project_id, claimed_at);
create index theme_mails_unsettled on theme_mails (project_id, mailing_id) where status in ('waiting', 'sending');

-- People outside of the project who were told something. The token is in the link of their mails.
create table feedback_contacts (
  project_id uuid not null references projects on delete cascade,
  person text collate "C" not null,
  token uuid not null default gen_random_uuid(),
  language text not null default 'en',
  unsubscribed_at timestamptz(3),
  primary key (project_id, person)
);
create unique index feedback_contacts_token on feedback_contacts (token);
