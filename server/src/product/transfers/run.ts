import { AppError } from '../../kernel/errors.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { removeUnclaimed } from '../../kernel/storage/index.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { importDocuments } from './documents/import.ts'
import { exportProject } from './exporting/export.ts'
import { importProject } from './importing/project.ts'
import * as queries from './queries.ts'
import { type Kind, STORE_PLACE } from './transfer.ts'
import type { Work, Worked } from './work.ts'
import { importWorkOrders } from './work-orders/import.ts'

export const RUN_TRANSFER = 'run_transfer'
const MAX_ATTEMPTS = 3
const NOTE_EVERY_MS = 1_000

const WORK: Record<Kind, (deps: JobDeps, work: Work) => Promise<Worked>> = {
  export: exportProject,
  project: importProject,
  work_orders: importWorkOrders,
  documents: importDocuments,
}

/** Does what was asked for, unless another node does. A fault of the file ends it; any other is tried again. */
export async function runTransfer(payload: unknown, deps: JobDeps): Promise<void> {
  const { projectId, id } = payload as { projectId: string; id: string }
  const leaseId = uuidv7()
  const transfer = await queries.takeTransfer(deps.db, projectId, id, leaseId)
  if (!transfer) return
  const held = { projectId, id, leaseId }
  const progress: queries.Progress = { done: 0, total: null, counts: {} }
  const end = async (ending: Omit<Parameters<typeof queries.endTransfer>[2], 'progress'>) => {
    await queries.endTransfer(deps.db, held, { ...ending, progress })
  }
  const finish = () => forgetFile(deps, transfer)
  if (transfer.attempts > MAX_ATTEMPTS) {
    await end({ state: 'failed', error: 'The server stopped while it worked on this. Nothing was changed. Try again.' })
    return finish()
  }
  let isLost = false
  const check = () => {
    if (isLost) throw new Error('Another node has taken this over.')
  }
  const notes = setInterval(() => {
    queries.noteProgress(deps.db, held, progress).then(
      (isHeld) => {
        isLost = !isHeld
      },
      () => undefined,
    )
  }, NOTE_EVERY_MS)
  try {
    const { problems, file, isEnded } = await WORK[transfer.kind](deps, { ...held, transfer, progress, check })
    clearInterval(notes)
    if (!isEnded) await end({ state: 'done', problems, ...(file && { file }) })
  } catch (err) {
    clearInterval(notes)
    const isStopping = err instanceof AppError && err.code === 'stopping'
    if (err instanceof AppError && err.status < 500) await end({ state: 'failed', error: err.message })
    else if (isStopping) {
      // A server that is stopped in order, such as by an update, is no failed attempt. The queue gets another job, because
      // the end of one that fails now may be written too late, and then it stays locked for hours.
      await queries.releaseTransfer(deps.db, held, { attempts: transfer.attempts - 1 })
      await enqueue(deps.db, RUN_TRANSFER, [{ projectId, id }])
      return
    } else if (transfer.attempts < MAX_ATTEMPTS) {
      await queries.releaseTransfer(deps.db, held, { attempts: transfer.attempts })
      throw err
    } else {
      deps.log.error({ err, transfer: id }, 'a transfer failed')
      const reason =
        err instanceof AppError ? err.message : 'Something went wrong on the server, which its log explains.'
      await end({ state: 'failed', error: reason })
    }
  }
  await finish()
}

/** The file of an import is needed no longer. */
async function forgetFile({ db }: JobDeps, { kind, fileKey }: { kind: Kind; fileKey: string | null }): Promise<void> {
  if (kind !== 'export' && fileKey !== null) await enqueue(db, 'remove_bytes', [{ keys: [fileKey] }])
}

/** Takes up what a node left behind that was killed, and what nobody began. */
export async function resumeTransfers({ db }: JobDeps): Promise<void> {
  const abandoned = await queries.listAbandoned(db)
  if (abandoned.length > 0) await enqueue(db, RUN_TRANSFER, [...abandoned])
}

export async function removeOldFiles({ db, store }: JobDeps): Promise<void> {
  const old = await queries.forgetOldFiles(db)
  if (old.length > 0) await enqueue(db, 'remove_bytes', [{ keys: old.map(({ key }) => key) }])
  await removeUnclaimed(store, STORE_PLACE, (keys) => queries.listKnownKeys(db, keys))
}
