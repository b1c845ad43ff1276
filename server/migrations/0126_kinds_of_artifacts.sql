-- What people call a file by: it decides the icon, the preview and the filter. Names count beside content types, because
-- browsers send `application/octet-stream` for whatever they do not know. Stored, because the expressions took seconds in a
-- folder of 100,000 files.
set local statement_timeout = 0;
set local maintenance_work_mem = '128MB';
alter table artifacts add column kind text not null generated always as (case
  when type <> 'file' then type
  when content_type = 'application/pdf' or name_key like '%.pdf' then 'pdf'
  when content_type like 'image/%' or name_key ~ '\.(png|jpe?g|gif|webp|avif|bmp|svg)$' then 'image'
  when content_type like 'audio/%' or name_key ~ '\.(mp3|m4a|wav|ogg|oga|flac|aac)$' then 'audio'
  when content_type like 'video/%' or name_key ~ '\.(mp4|m4v|webm|mov|mkv)$' then 'video'
  when content_type in ('text/csv', 'text/tab-separated-values') or content_type ~ 'spreadsheet|ms-excel'
    or name_key ~ '\.(csv|tsv|xlsx?|ods)$' then 'spreadsheet'
  when content_type ~ '^application/(zip|gzip|x-tar|x-7z|x-bzip|x-xz|vnd\.rar|x-rar)'
    or name_key ~ '\.(zip|tar|gz|tgz|7z|rar|bz2|xz)$' then 'archive'
  when content_type like 'text/%' or content_type ~ '^application/(json|xml|javascript|x-sh|yaml|x-yaml|toml|sql|graphql)'
    or name_key ~ '\.(txt|md|markdown|log|json|jsonl|xml|ya?ml|toml|ini|conf|env|sh|sql|js|jsx|mjs|cjs|ts|tsx|css|html?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|pl|lua|r|graphql|proto|diff|patch)$'
    then 'text'
  else 'other' end) stored;

-- A folder lists its folders first, then its files, in one of three orders and of some kinds only. Both halves are read
-- from indexes alone.
create index artifacts_folders on artifacts (project_id, parent_id, name_key, id) where type = 'folder';
create index artifacts_by_name on artifacts (project_id, parent_id, name_key, id) include (kind) where type <> 'folder';
create index artifacts_by_date on artifacts (project_id, parent_id, updated_at, id) include (kind) where type <> 'folder';
create index artifacts_by_size on artifacts (project_id, parent_id, size_bytes, name_key, id) include (kind)
  where type <> 'folder';
