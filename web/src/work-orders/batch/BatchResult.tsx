import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { cx } from '../../lib/cx.ts'
import { useStore } from '../../lib/store.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCheck,
  IconCopy,
  IconRefresh,
  IconSquareCheck,
  IconX,
} from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import { type BatchOutcome, batchOutcome, type Edit, editWorkOrders, reverse } from '../edits.ts'
import { hideRows } from '../rows/cache.ts'
import { selection } from '../selection.ts'
import { codeOf } from '../work-order.ts'
import css from './BatchResult.module.css'
import { deletionsQuery, FailedRow } from './FailedRow.tsx'
import { MovedValues, Summary } from './MovedValues.tsx'

const close = () => batchOutcome.set(undefined)

/** Up to here, each row has a segment of its own. */
const MOST_SEGMENTS = 40

/** Shows row by row what a change of several work orders did and what it could not do. */
export default function BatchResult({ outcome }: { outcome: BatchOutcome }) {
  const { projectId, summary, edits, results, requestId, at } = outcome
  const hasFailed = ({ row }: Edit) => results.get(row.id)?.status !== 'succeeded'
  const failed = edits.filter(hasFailed)
  const changed = edits.filter((edit) => !hasFailed(edit))
  // The server found none, and the record of the project says who deleted it.
  const missing = failed.filter(({ row }) => results.get(row.id)?.work_order_id == null)
  const known = useQuery({ ...deletionsQuery(projectId, at), enabled: missing.length > 0 }).data
  const deletionOf = (edit: Edit) => (missing.includes(edit) ? known?.get(edit.row.id) : undefined)
  const left = failed.filter((edit) => !deletionOf(edit))
  const selected = useStore(selection)
  const staying = left.filter(({ row }) => selected.has(row.id))

  // What is still to be done stays selected, and what others deleted leaves the list.
  const leftIds = left.map(({ row }) => row.id).join()
  useEffect(() => {
    const keep = new Set(leftIds.split(','))
    selection.set((old) => new Set([...old].filter((id) => keep.has(id))))
  }, [leftIds])
  const goneIds = failed.flatMap((edit) => (deletionOf(edit) ? [edit.row.id] : [])).join()
  useEffect(() => {
    if (goneIds) hideRows(projectId, new Set(goneIds.split(',')))
  }, [projectId, goneIds])

  const again = (some: Edit[]) => {
    close()
    void editWorkOrders(projectId, summary, some)
  }
  const undo = () => {
    close()
    void editWorkOrders(projectId, 'Undone', changed.map(reverse))
  }
  const dismiss = (edit: Edit) => {
    const rest = edits.filter((one) => one !== edit)
    if (failed.length > 1) batchOutcome.set({ ...outcome, edits: rest })
    else {
      close()
      showToast({ text: `${changed.length} work orders: ${summary}` })
    }
  }
  const title = `${changed.length} of ${edits.length} changed, ${failed.length} failed`
  const report = () =>
    [
      `${title}: ${summary}${requestId ? ` (request ${requestId})` : ''}`,
      ...failed.map(({ row }) => `failed: ${codeOf(row)} ${row.title}: ${results.get(row.id)?.message}`),
      ...changed.map(({ row }) => `changed: ${codeOf(row)} ${row.title}`),
    ].join('\n')
  return (
    <Dialog label={title} width={544} onClose={close}>
      <header className={css.head}>
        <span className={css.sign}>
          <IconAlertTriangle size={20} stroke={1.75} />
        </span>
        <div className={css.grow}>
          <h2 className={css.title}>{title}</h2>
          <p className={css.summary}>
            <Summary text={summary} shows={edits[0]!.shows} /> · <Time at={at} />
            {requestId && ` · request ${requestId}`}
          </p>
        </div>
        <IconButton label="Copy the report" onClick={() => void copyText(report(), 'Report copied')}>
          <IconCopy size={16} stroke={1.75} />
        </IconButton>
        <IconButton label="Close" onClick={close}>
          <IconX size={17} stroke={1.75} />
        </IconButton>
      </header>
      <div className={css.meter}>
        {edits.length <= MOST_SEGMENTS ? (
          [...changed, ...failed].map((edit, index) => (
            <span key={edit.row.id} className={cx(css.bar, index >= changed.length && css.bad)} />
          ))
        ) : (
          <>
            <span className={css.bar} style={{ flexGrow: changed.length }} />
            <span className={cx(css.bar, css.bad)} style={{ flexGrow: failed.length }} />
          </>
        )}
      </div>
      <div className={css.body}>
        <h3 className={css.section}>
          Failed <span>{failed.length}</span>
          <em>nothing was written; rows show what is stored</em>
        </h3>
        {failed.map((edit) => (
          <FailedRow
            key={edit.row.id}
            row={edit.row}
            projectId={projectId}
            message={results.get(edit.row.id)?.message ?? 'The server said nothing about this one.'}
            deletion={deletionOf(edit)}
            onRetry={() => again([edit])}
            onDismiss={() => dismiss(edit)}
            onOpen={close}
          />
        ))}
        {changed.length > 0 && (
          <h3 className={css.section}>
            Changed <span>{changed.length}</span>
          </h3>
        )}
        {changed.map(({ row, shows }) => (
          <div key={row.id} className={css.changed}>
            <IconCheck size={15} className={css.tick} />
            <span className={css.code}>{codeOf(row)}</span>
            <span className={css.name}>{row.title}</span>
            <MovedValues row={row} shows={shows} />
          </div>
        ))}
      </div>
      <footer className={css.foot}>
        {staying.length > 0 && (
          <span className={css.staying}>
            <IconSquareCheck size={16} stroke={1.75} />
            {staying.length === 1 ? `${codeOf(staying[0]!.row)} stays selected` : `${staying.length} stay selected`}
          </span>
        )}
        <span className={css.grow} />
        {changed.length > 0 && (
          <Button icon={<IconArrowBackUp size={16} />} onClick={undo}>
            Undo changes
          </Button>
        )}
        {left.length > 0 && (
          <Button look="primary" icon={<IconRefresh size={16} />} onClick={() => again(left)}>
            Retry failed
          </Button>
        )}
      </footer>
    </Dialog>
  )
}
