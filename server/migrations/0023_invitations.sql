-- Invite links. A link is stored as its SHA-256 only.
create table invitations (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  sha256 text not null unique,
  role text not null check (role in ('editor', 'admin', 'viewer')),
  -- Null: whoever has the link.
  email text,
  max_uses integer not null,
  uses integer not null default 0,
  invited_by uuid not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (project_id, id)
);
create index invitations_email on invitations (lower(email)) where email is not null;

-- Whether someone else vouches for the address. The operator added everyone so far; people who come through an open
-- link name their address themselves. Single sign-on joins only addresses that are vouched for.
update users set email_verified = true;
create unique index credentials_account on credentials (provider_id, account_id);

alter table sessions add column last_used_at timestamptz(3) not null default now();
update sessions set last_used_at = updated_at;

-- The first characters of a key, to tell keys apart. Null for older ones.
alter table api_keys add column start text;
