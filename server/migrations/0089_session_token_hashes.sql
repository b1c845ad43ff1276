-- Sessions have only the hash of their token, and what signs cookies and cursors is derived from the installation's key,
-- which is not in the database. Everyone signs in again: what signed their cookies may be in any older backup.
delete from sessions;
alter table sessions rename column token to token_sha256;
alter table sessions rename constraint sessions_token_key to sessions_token_sha256_key;
drop table shared_secrets;

-- Tells whether a node has another key than the one before. It is derived from the key and does not reveal it.
alter table installation add column secret_key_check text;
