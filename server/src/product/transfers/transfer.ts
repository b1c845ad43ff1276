import { conflict, notFound } from '../../kernel/errors.ts'

export const KINDS = ['export', 'project', 'work_orders', 'documents'] as const
export type Kind = (typeof KINDS)[number]
export const STATES = ['waiting', 'running', 'done', 'failed'] as const
export type State = (typeof STATES)[number]

/** The segment of a file's key in the store after the installation's id. */
export const STORE_PLACE = 'transfers'

/** Files of exports can be downloaded for this long. */
export const KEPT_HOURS = 24

/** Something about a file that a person should know, with the line or path that it is about. */
export interface Problem {
  where: string
  detail: string
}
export const MOST_PROBLEMS = 100

/** What was written so far, by kind. */
export type Counts = Record<string, number>

export interface Transfer {
  id: string
  kind: Kind
  state: State
  requestedBy: string | null
  options: Record<string, unknown>
  fileKey: string | null
  fileName: string
  fileSize: number | null
  fileSha256: string | null
  done: number
  total: number | null
  counts: Counts
  problems: Problem[]
  error: string | null
  createdAt: string
  endedAt: string | null
}

export const presentTransfer = (one: Transfer) => ({
  object: one.kind === 'export' ? ('export' as const) : ('import' as const),
  id: one.id,
  kind: one.kind,
  state: one.state,
  file_name: one.fileName,
  file_size: one.fileSize,
  done: one.done,
  total: one.total,
  counts: one.counts,
  problems: one.problems,
  error: one.error,
  created_at: one.createdAt,
  ended_at: one.endedAt,
})

export const noSuchTransfer = (kind: Kind | 'import', id: string) =>
  notFound(kind === 'export' ? 'export' : 'import', id)

export const notReady = ({ state }: Transfer) =>
  state === 'failed'
    ? conflict('export_failed', 'This export failed, so there is no file. Start another one.')
    : state === 'done'
      ? conflict('export_gone', `The file of an export is kept for ${KEPT_HOURS} hours. Start another one.`)
      : conflict('export_running', 'This export is still being written. Ask for it until its state is "done".')
