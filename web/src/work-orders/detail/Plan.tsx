import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { countTasks, tickTask } from '../../lib/tasks.ts'
import { Button } from '../../ui/Button.tsx'
import { Meter } from '../../ui/charts.tsx'
import { IconPencil, IconPlus } from '../../ui/icons.ts'
import { LongTextEditor, LongTextState } from '../../ui/LongText.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { Badge, SectionHead } from '../../ui/SectionHead.tsx'
import type { WorkOrder } from '../work-order.ts'
import css from './Section.module.css'
import { useTextEdit } from './use-text-edit.ts'

const SIGNS = { create: 'A', modify: 'M', delete: 'D' }

/** How it will be done. Its boxes can be ticked in place. */
export function Plan({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const plan = workOrder.implementation_plan
  const text = plan?.markdown_content ?? ''
  const edit = useTextEdit(projectId, workOrder, 'plan')
  const { total, done } = countTasks(text)
  const isEmpty = !text.trim() && !plan?.files.length
  const mayWrite = useMayWrite()
  if (isEmpty && !mayWrite) return null
  return (
    <section aria-label="Implementation plan">
      <SectionHead
        title="Implementation plan"
        beside={
          total > 0 && (
            <>
              <Badge>
                {done} of {total}
              </Badge>
              <Meter label="Tasks done" value={done} max={total} tone="green" className={css.meter} />
            </>
          )
        }
      >
        {mayWrite && edit.text === undefined && !edit.failed && (
          <Button
            look="quiet"
            icon={isEmpty ? <IconPlus size={15} stroke={1.75} /> : <IconPencil size={15} stroke={1.75} />}
            onClick={edit.open}
          >
            {isEmpty ? 'Plan' : 'Edit'}
          </Button>
        )}
      </SectionHead>
      <LongTextState edit={edit} />
      {edit.text !== undefined || edit.failed ? (
        <LongTextEditor label="Implementation plan" edit={edit} />
      ) : (
        !isEmpty && (
          <div className={css.card}>
            {text.trim() && (
              <div className={css.plan}>
                <Markdown text={text} onTick={mayWrite ? (at) => edit.save(tickTask(text, at)) : undefined} />
              </div>
            )}
            {plan && plan.files.length > 0 && (
              <div className={css.files}>
                {plan.files.map((file) => (
                  <div key={`${file.action} ${file.path}`} className={css.file}>
                    <span className={cx(css.action, css[file.action])} title={file.action}>
                      {SIGNS[file.action]}
                    </span>
                    <code>{file.path}</code>
                    <span>{file.description}</span>
                  </div>
                ))}
              </div>
            )}
          </div>
        )
      )}
    </section>
  )
}
