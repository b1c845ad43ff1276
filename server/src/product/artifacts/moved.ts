import { Type } from 'typebox'
import { Markdown, Nullable, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import { Large, MaybeId, MaybeSomeone, type MovedTable } from '../../kernel/moving/table.ts'
import { NAME_LENGTH, nameKey, PATH_LENGTH, refuseBadName, STORE_PLACE, TYPES } from './artifact.ts'

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
]
