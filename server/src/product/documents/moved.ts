import { Type } from 'typebox'
import { Markdown, Nullable, OneOf, Text, Time, Title, Uuid } from '../../kernel/http/schema.ts'
import { MaybeFields, MaybeId, MaybeSomeone, type MovedTable, Someone, Whole } from '../../kernel/moving/table.ts'

const Kind = OneOf(['requirements_document', 'blueprint'])
const Origin = OneOf(['user', 'external_api', 'mcp', 'agent', 'automation', 'system'])
const Name = Text(1_000)

export const movedDocuments: MovedTable[] = [
  {
    name: 'document_trees',
    row: Type.Object({ id: Uuid, kind: Kind, name: Name, locked: Type.Boolean(), position: Whole }),
    order: 't.kind, t.position, t.id',
  },
  {
    name: 'documents',
    row: Type.Object({
      id: Uuid,
      kind: Kind,
      tree_id: Uuid,
      parent_id: MaybeId,
      position: Whole,
      paired_with: MaybeId,
      title: Title(),
      markdown_content: Markdown(),
      version_id: Uuid,
      version_number: Whole,
      created_at: Time,
      updated_at: Time,
    }),
    order: 't.kind, t.tree_id, t.parent_id, t.position, t.id',
    parent: 'parent_id',
    rules: [
      {
        fault: 'A document names a version as its current one that it does not have, or that has another text.',
        broken: `select from documents d where d.project_id = $1 and not exists (select from document_versions v
          where v.project_id = d.project_id and v.document_id = d.id and v.id = d.version_id
            and v.version_number = d.version_number and v.markdown_content = d.markdown_content)`,
      },
      {
        fault: 'A document lies in another tree than its parent, or is of another kind than its tree.',
        broken: `select from documents d join document_trees t on t.project_id = d.project_id and t.id = d.tree_id
          left join documents p on p.project_id = d.project_id and p.id = d.parent_id
          where d.project_id = $1 and (d.kind <> t.kind or p.tree_id <> d.tree_id)`,
      },
    ],
  },
  {
    name: 'document_versions',
    row: Type.Object({
      document_id: Uuid,
      id: Uuid,
      version_number: Whole,
      version_name: Nullable(Name),
      markdown_content: Markdown(),
      origin_type: Origin,
      origin_name: Name,
      user_id: MaybeSomeone,
      created_at: Time,
      via: MaybeFields,
    }),
    order: 't.document_id, t.version_number',
  },
  {
    name: 'document_version_authors',
    row: Type.Object({
      version_id: Uuid,
      user_id: Someone,
      agent: Name,
      origin_type: Origin,
      via: MaybeFields,
      added_at: Time,
    }),
    order: 't.version_id, t.added_at, t.user_id, t.agent',
  },
  {
    name: 'document_changes',
    row: Type.Object({
      document_id: Uuid,
      id: Uuid,
      position: Whole,
      kind: OneOf(['insertion', 'deletion']),
      text: Markdown(),
      user_id: MaybeSomeone,
      created_by_name: Name,
      created_at: Time,
      origin: Nullable(Origin),
      via: MaybeFields,
    }),
    where: 't.settled_at is null',
    order: 't.document_id, t.position',
  },
  {
    name: 'document_threads',
    row: Type.Object({
      id: Uuid,
      document_id: Uuid,
      is_resolved: Type.Boolean(),
      is_flagged: Type.Boolean(),
      created_at: Time,
      anchor: MaybeFields,
    }),
    where: 't.deleted_at is null',
    order: 't.id',
  },
  {
    name: 'document_messages',
    row: Type.Object({
      id: Uuid,
      thread_id: Uuid,
      message: Markdown(),
      user_id: MaybeSomeone,
      created_by_name: Name,
      created_at: Time,
      origin: Nullable(Origin),
      via: MaybeFields,
      edited_at: Type.Optional(Nullable(Time)),
    }),
    where: 't.deleted_at is null',
    order: 't.id',
  },
  {
    name: 'document_visits',
    row: Type.Object({ document_id: Uuid, user_id: Someone, version_number: Whole, seen_at: Time }),
    order: 't.document_id, t.user_id',
  },
]
