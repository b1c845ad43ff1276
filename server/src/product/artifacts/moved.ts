import { Type } from 'typebox'
import { Markdown, Nullable, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import {
  Large,
  MaybeFields,
  MaybeId,
  MaybeSomeone,
  type MovedTable,
  Someone,
  Whole,
} from '../../kernel/moving/table.ts'
import { NAME_LENGTH, nameKey, PATH_LENGTH, refuseBadName, STORE_PLACE, TYPES } from './artifact.ts'

/** The versions of what is in the trash stay behind with it. */
const HAS_DOCUMENT = `select from artifacts a
  where a.project_id = t.project_id and a.id = t.artifact_id and a.type = 'document'`

export const movedArtifacts: MovedTable[] = [
  {
    name: 'artifacts',
    row: Type.Object({
      id: Uuid,
      type: OneOf(TYPES),
      parent_id: MaybeId,
      name: Text(NAME_LENGTH),
      name_key: Text(2 * NAME_LENGTH),
      folder_path: Text(PATH_LENGTH),
      content_type: Nullable(Text(1_000)),
      size_bytes: Nullable(Large),
      sha256: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
      markdown_content: Nullable(Markdown()),
      created_by_id: MaybeSomeone,
      created_by: Text(1_000),
      created_at: Time,
      updated_at: Time,
    }),
    order: 't.id',
    parent: 'parent_id',
    bytes: { key: 'content_key', size: 'size_bytes', place: STORE_PLACE, same: 'markdown_content' },
    arrive(row) {
      refuseBadName(row.name as string, '/name')
      return { ...row, name_key: nameKey(row.name as string) }
    },
    rules: [
      {
        fault: 'The path of an artifact is not that of the folder it lies in.',
        broken: `select from artifacts a left join artifacts f on f.project_id = a.project_id and f.id = a.parent_id
          where a.project_id = $1 and (f.type <> 'folder' or a.folder_path <> case when a.parent_id is null then ''
            when f.folder_path = '' then f.name else f.folder_path || '/' || f.name end)`,
      },
    ],
  },
  {
    name: 'artifact_versions',
    row: Type.Object({
      artifact_id: Uuid,
      id: Uuid,
      version_number: Whole,
      markdown_content: Markdown(),
      origin_type: OneOf(['user', 'external_api', 'mcp', 'agent', 'automation', 'system']),
      user_id: MaybeSomeone,
      via: MaybeFields,
      created_at: Time,
    }),
    where: `exists (${HAS_DOCUMENT})`,
    order: 't.artifact_id, t.version_number',
    rules: [
      {
        fault: 'A version belongs to a document of the knowledge base that is not there.',
        broken: `select from artifact_versions t where t.project_id = $1 and not exists (${HAS_DOCUMENT})`,
      },
    ],
  },
  {
    name: 'artifact_version_authors',
    row: Type.Object({ version_id: Uuid, user_id: Someone, added_at: Time }),
    where: `exists (select from artifact_versions v join artifacts a on a.project_id = v.project_id and a.id = v.artifact_id
      where v.project_id = t.project_id and v.id = t.version_id)`,
    order: 't.version_id, t.added_at, t.user_id',
  },
]
