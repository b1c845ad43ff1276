-- How the widget looks on the pages of a project. A page without its options shows the defaults.
create table widget_options (
  project_id uuid primary key references projects on delete cascade,
  label text not null,
  position text not null,
  accent text,
  theme text not null,
  screenshots boolean not null
);

-- Whoever changes the origins of a key expects it to hold at once.
drop trigger api_keys_access on api_keys;
create trigger api_keys_access after delete
  or update of revoked_at, expires_at, project_id, user_id, kind, allowed_origins on api_keys
  for each statement execute function bump_access_revision();
