import { useRef, useState } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { useWrites } from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import { UnsavedChange } from '../../ui/Unsaved.tsx'
import { Waits } from '../../ui/Waits.tsx'
import type { LoadedWorkOrder } from '../api.ts'
import { editText, startOf } from '../texts.ts'
import css from './Title.module.css'

/** The title is its own field: Enter saves, Escape takes it back. */
export function Title({ workOrder, projectId }: { workOrder: LoadedWorkOrder; projectId: string }) {
  const [text, setText] = useState<string>()
  const mayWrite = useMayWrite()
  // The work order may change while somebody types.
  const from = useRef(startOf(workOrder, 'title'))
  const write = useWrites(workOrder.id).find(({ kind, part }) => kind === 'work-orders.text' && part === 'title')
  const save = () => {
    const title = text?.trim()
    setText(undefined)
    if (!title || title === from.current.text) return
    void editText(projectId, workOrder, 'title', title, from.current)
  }
  return (
    <>
      <h1>
        <textarea
          rows={1}
          dir="auto"
          maxLength={500}
          aria-label="Title"
          readOnly={!mayWrite}
          className={css.title}
          value={text ?? workOrder.title}
          onChange={(event) => {
            if (text === undefined) from.current = startOf(workOrder, 'title')
            setText(event.target.value.replaceAll('\n', ' '))
          }}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault()
              event.currentTarget.blur()
            } else if (event.key === 'Escape') {
              event.stopPropagation()
              setText(undefined)
              if (text === undefined || text === from.current.text) return
              const field = event.currentTarget
              const undo = () => {
                setText(text)
                field.focus()
              }
              showToast({ text: 'Title restored', action: { label: 'Undo', run: undo } })
            }
          }}
        />
      </h1>
      {write?.state === 'failed' ? <UnsavedChange write={write} /> : <Waits write={write} />}
    </>
  )
}
