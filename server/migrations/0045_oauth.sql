-- Programs that registered themselves, to ask people for access. Anyone can register one, so rows are small and few:
-- those that nobody let in go first.
create table oauth_clients (
  id uuid primary key,
  name text not null,
  redirect_uris text[] not null,
  -- Whether somebody has let it in.
  used boolean not null default false,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now()
);
create index oauth_clients_unused on oauth_clients (created_at) where not used;

-- What a person allows a program: to act as them in one project. It stays after its end, because events name it.
create table oauth_grants (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  user_id uuid not null references users on delete cascade,
  -- The registration may be gone while the grant lasts.
  client_id uuid not null,
  client_name text not null,
  redirect_uri text not null,
  code_challenge text not null,
  resource text not null check (resource in ('/mcp', '/mcp/read')),
  scope text not null check (scope in ('read', 'full')),
  created_at timestamptz(3) not null default now(),
  -- Null until the program has come back with its code.
  redeemed_at timestamptz(3),
  last_used_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (project_id, id)
);
create unique index oauth_grants_id on oauth_grants (id);
create index oauth_grants_user on oauth_grants (user_id) where ended_at is null;

-- Codes, access tokens and refresh tokens, as their SHA-256 only. Used ones stay until they would expire, so that a second
-- use is noticed.
create table oauth_tokens (
  sha256 text primary key,
  project_id uuid not null,
  grant_id uuid not null,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  foreign key (project_id, grant_id) references oauth_grants on delete cascade
);
create index oauth_tokens_grant on oauth_tokens (project_id, grant_id);
create index oauth_tokens_expiry on oauth_tokens (expires_at);
