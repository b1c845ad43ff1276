/** What people call a file by: it decides the icon, the preview and the filter. */
export const KINDS = [
  'folder',
  'document',
  'image',
  'pdf',
  'spreadsheet',
  'text',
  'audio',
  'video',
  'archive',
  'other',
] as const
export type Kind = (typeof KINDS)[number]

/**
 * The kind of a row `a`, as SQL. Names count beside content types, because browsers send `application/octet-stream` for
 * whatever they do not know.
 */
export const KIND_SQL = String.raw`case
  when a.type <> 'file' then a.type
  when a.content_type = 'application/pdf' or a.name_key like '%.pdf' then 'pdf'
  when a.content_type like 'image/%' or a.name_key ~ '\.(png|jpe?g|gif|webp|avif|bmp|svg)$' then 'image'
  when a.content_type like 'audio/%' or a.name_key ~ '\.(mp3|m4a|wav|ogg|oga|flac|aac)$' then 'audio'
  when a.content_type like 'video/%' or a.name_key ~ '\.(mp4|m4v|webm|mov|mkv)$' then 'video'
  when a.content_type in ('text/csv', 'text/tab-separated-values') or a.content_type ~ 'spreadsheet|ms-excel'
    or a.name_key ~ '\.(csv|tsv|xlsx?|ods)$' then 'spreadsheet'
  when a.content_type ~ '^application/(zip|gzip|x-tar|x-7z|x-bzip|x-xz|vnd\.rar|x-rar)'
    or a.name_key ~ '\.(zip|tar|gz|tgz|7z|rar|bz2|xz)$' then 'archive'
  when a.content_type like 'text/%' or a.content_type ~ '^application/(json|xml|javascript|x-sh|yaml|x-yaml|toml|sql|graphql)'
    or a.name_key ~ '\.(txt|md|markdown|log|json|jsonl|xml|ya?ml|toml|ini|conf|env|sh|sql|js|jsx|mjs|cjs|ts|tsx|css|html?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|pl|lua|r|graphql|proto|diff|patch)$'
    then 'text'
  else 'other' end`
