import { useState } from 'react'
import { editWorkOrders } from '../edits.ts'
import type { WorkOrder } from '../work-order.ts'
import css from './Title.module.css'

/** The title is its own field: Enter saves, Escape takes it back. */
export function Title({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const [text, setText] = useState<string>()
  const save = () => {
    const title = text?.trim()
    setText(undefined)
    if (!title || title === workOrder.title) return
    void editWorkOrders(projectId, 'new title', [{ row: workOrder, fields: { title }, shows: { title } }])
  }
  return (
    <h1>
      <textarea
        rows={1}
        maxLength={500}
        aria-label="Title"
        className={css.title}
        value={text ?? workOrder.title}
        onChange={(event) => setText(event.target.value.replaceAll('\n', ' '))}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            event.currentTarget.blur()
          } else if (event.key === 'Escape') {
            setText(undefined)
            event.stopPropagation()
          }
        }}
      />
    </h1>
  )
}
