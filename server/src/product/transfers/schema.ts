import { type TSchema, Type } from 'typebox'
import { FilePart } from '../../kernel/http/bodies/multipart.ts'
import { Bytes, Data, Items, Kind, Nullable, named, OneOf, Time, Uuid } from '../../kernel/http/schema.ts'
import { PRIORITIES, STATUSES, WORK_ORDER_TYPES } from '../work-orders/index.ts'
import { KINDS, STATES } from './transfer.ts'
import { FIELDS, SOURCES } from './work-orders/columns.ts'

const Count = Type.Integer({ examples: [120] })
const ProblemShape = named(
  'TransferProblem',
  Type.Object({
    where: Type.String({ description: 'The line or the path that it is about.', examples: ['line 12'] }),
    detail: Type.String({ examples: ['"Jo" is no member of this project, so nobody is assigned.'] }),
  }),
)

const fields = {
  id: Uuid,
  kind: OneOf(KINDS, { description: 'What is exported or imported.' }),
  state: OneOf(STATES),
  file_name: Type.String({ examples: ['juniper-2026-11-16.zip'] }),
  file_size: Nullable(Type.Integer({ examples: [1_048_576] })),
  done: Type.Integer({ description: 'Steps done, of `total`.', examples: [600] }),
  total: Nullable(Type.Integer({ examples: [1_200] })),
  counts: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'What was written so far, by kind.',
    examples: [{ documents: 55, work_orders: 58 }],
  }),
  problems: Type.Array(ProblemShape, { description: 'What was skipped, refused or changed, and why. At most 100.' }),
  error: Nullable(Type.String({ examples: [null] }), { description: 'Why it failed. Nothing was changed then.' }),
  created_at: Time,
  ended_at: Nullable(Time),
}
const ExportShape = named('Export', Type.Object({ object: Kind('export'), ...fields }))
const ImportShape = named('Import', Type.Object({ object: Kind('import'), ...fields }))
export const TransferShape = named('Transfer', Type.Object({ object: OneOf(['export', 'import']), ...fields }))

export const ExportData = Data(ExportShape)
export const ImportData = Data(ImportShape)
export const TransferItems = Items(TransferShape)
export const ArchiveContent = Bytes
export const ExportParams = Type.Object({ export_id: Uuid })
export const ImportParams = Type.Object({ import_id: Uuid })

const asForm = <T extends TSchema>(schema: T) => ({ content: { 'multipart/form-data': { schema } } })

export const FileBody = asForm(Type.Object({ file: FilePart }))
export const DOCUMENT_KINDS = ['requirements', 'blueprints'] as const
export const DocumentsBody = asForm(
  Type.Object({
    file: FilePart,
    kind: OneOf(DOCUMENT_KINDS, { default: 'requirements', description: 'What the files become.' }),
  }),
)

const ACTIONS = ['create', 'skip', 'refuse'] as const
const totals = {
  to_create: Count,
  to_skip: Type.Integer({ description: 'Are here already.', examples: [0] }),
  to_refuse: Type.Integer({ description: 'Cannot be imported; `problems` says why.', examples: [0] }),
  to_change: Type.Integer({
    description: 'Are created otherwise than the file has them: something is cut or closed, or not known here.',
    examples: [0],
  }),
  problems: Type.Array(ProblemShape, { description: 'What is skipped, refused or changed. At most 100.' }),
}

export const WorkOrdersPreview = Data(
  named(
    'WorkOrdersImportPreview',
    Type.Object({
      object: Kind('work_orders_import_preview'),
      source: OneOf(SOURCES, { description: 'Whose columns they are.' }),
      columns: Type.Array(
        Type.Object({
          column: Type.String({ examples: ['Summary'] }),
          field: Nullable(OneOf(FIELDS), { description: 'What it becomes. Null: it is left out.' }),
        }),
      ),
      ...totals,
      new_labels: Type.Array(Type.String({ examples: ['checkout'] }), { description: 'The first 500.' }),
      new_phases: Type.Array(Type.String({ examples: ['Sprint 4'] }), { description: 'The first 500.' }),
      rows: Type.Array(
        Type.Object({
          line: Type.Integer({ examples: [2] }),
          action: OneOf(ACTIONS),
          key: Nullable(Type.String({ examples: ['SHOP-12'] })),
          title: Type.String({ examples: ['Round the total once'] }),
          status: OneOf(STATUSES),
          priority: OneOf(PRIORITIES),
          type: OneOf(WORK_ORDER_TYPES),
          assignee: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
          labels: Type.Array(Type.String({ examples: ['checkout'] })),
          phase: Nullable(Type.String({ examples: ['Sprint 4'] })),
        }),
        { description: 'The first 100.' },
      ),
    }),
  ),
)

export const DocumentsPreview = Data(
  named(
    'DocumentsImportPreview',
    Type.Object({
      object: Kind('documents_import_preview'),
      ...totals,
      documents: Type.Array(
        Type.Object({
          path: Type.String({ examples: ['guide/install.md'] }),
          action: OneOf(ACTIONS),
          title: Type.String({ examples: ['Install'] }),
          depth: Type.Integer({ examples: [1] }),
        }),
        { description: 'The first 500, in the order of the tree.' },
      ),
    }),
  ),
)
