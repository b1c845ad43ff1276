-- The most that a key may do. Null: whatever its owner may do.
alter table api_keys add column role text check (role in ('admin', 'editor', 'viewer'));
