import { useMayWrite } from '../../lib/may-write.ts'
import { tickTask } from '../../lib/tasks.ts'
import { LongTextEditor, LongTextState } from '../../ui/LongText.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import type { WorkOrder } from '../work-order.ts'
import css from './Section.module.css'
import { useTextEdit } from './use-text-edit.ts'

export function Description({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const mayWrite = useMayWrite()
  const text = workOrder.markdown_content
  const edit = useTextEdit(projectId, workOrder, 'description')
  if (edit.text !== undefined || edit.failed) return <LongTextEditor label="Description" edit={edit} />
  return (
    <section className={css.description} aria-label="Description">
      <LongTextState edit={edit} />
      {text.trim() ? (
        <>
          <Markdown text={text} onTick={mayWrite ? (at) => edit.save(tickTask(text, at)) : undefined} />
          {mayWrite && (
            <button type="button" className={css.editText} onClick={edit.open}>
              Edit description
            </button>
          )}
        </>
      ) : (
        mayWrite && (
          <button type="button" className={css.add} onClick={edit.open}>
            Say why, and when it is done…
          </button>
        )
      )}
    </section>
  )
}
