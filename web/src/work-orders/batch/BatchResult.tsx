import { Link } from '@tanstack/react-router'
import { showToast } from '../../app/toasts.tsx'
import { cx } from '../../lib/cx.ts'
import { useStore } from '../../lib/store.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowRight,
  IconCheck,
  IconCopy,
  IconRefresh,
  IconX,
} from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { copyText } from '../copy-for-agent.ts'
import { type BatchOutcome, batchOutcome, type Edit, editWorkOrders, reverse } from '../edits.ts'
import { codeOf } from '../work-order.ts'
import css from './BatchResult.module.css'

const close = () => batchOutcome.set(undefined)

/** Shows row by row what a change of several work orders did and what it could not do. */
export function BatchResult() {
  const outcome = useStore(batchOutcome)
  return outcome ? <Outcome outcome={outcome} /> : null
}

function Outcome({ outcome }: { outcome: BatchOutcome }) {
  const { projectId, summary, edits, results } = outcome
  const hasFailed = ({ row }: Edit) => results.get(row.id)?.status !== 'succeeded'
  const failed = edits.filter(hasFailed)
  const changed = edits.filter((edit) => !hasFailed(edit))
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
    if (rest.some(hasFailed)) batchOutcome.set({ ...outcome, edits: rest })
    else {
      close()
      showToast({ text: `${changed.length} work orders: ${summary}` })
    }
  }
  const title = `${changed.length} of ${edits.length} changed, ${failed.length} failed`
  const report = failed.map(({ row }) => `${codeOf(row)} ${row.title}: ${results.get(row.id)?.message}`).join('\n')
  return (
    <Dialog label={title} width={544} onClose={close}>
      <header className={css.head}>
        <span className={css.sign}>
          <IconAlertTriangle size={20} stroke={1.75} />
        </span>
        <div className={css.grow}>
          <h2 className={css.title}>{title}</h2>
          <p className={css.summary}>{summary.charAt(0).toUpperCase() + summary.slice(1)} · just now</p>
        </div>
        <IconButton label="Copy the report" onClick={() => void copyText(report, 'Report copied')}>
          <IconCopy size={16} stroke={1.75} />
        </IconButton>
        <IconButton label="Close" onClick={close}>
          <IconX size={17} stroke={1.75} />
        </IconButton>
      </header>
      <div className={css.meter}>
        {[...changed, ...failed].slice(0, 40).map((edit) => (
          <span key={edit.row.id} className={cx(css.bar, hasFailed(edit) && css.bad)} />
        ))}
      </div>
      <div className={css.body}>
        <h3 className={css.section}>
          Failed <span>{failed.length}</span>
          <em>nothing was written; rows show what is stored</em>
        </h3>
        {failed.map((edit) => (
          <div key={edit.row.id} className={css.failed}>
            <IconX size={15} className={css.cross} />
            <span className={css.code}>{codeOf(edit.row)}</span>
            <div className={css.grow}>
              <div className={css.name}>{edit.row.title}</div>
              <p className={css.why}>{results.get(edit.row.id)?.message}</p>
              <div className={css.actions}>
                <button type="button" onClick={() => again([edit])}>
                  Retry
                </button>
                <Link
                  to="/p/$projectId/work-orders/$number"
                  params={{ projectId, number: String(edit.row.work_order_number) }}
                  onClick={close}
                >
                  Open
                </Link>
                <button type="button" onClick={() => dismiss(edit)}>
                  Take off the list
                </button>
              </div>
            </div>
            <StatusRing status={edit.row.status} />
            <Avatar person={edit.row.assignee} />
          </div>
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
            {shows.status && (
              <span className={css.move}>
                <StatusRing status={row.status} />
                <IconArrowRight size={13} />
                <StatusRing status={shows.status} />
              </span>
            )}
          </div>
        ))}
      </div>
      <footer className={css.foot}>
        <span className={css.grow} />
        {changed.length > 0 && (
          <Button icon={<IconArrowBackUp size={16} />} onClick={undo}>
            Undo changes
          </Button>
        )}
        <Button look="primary" icon={<IconRefresh size={16} />} onClick={() => again(failed)}>
          Retry failed
        </Button>
      </footer>
    </Dialog>
  )
}
