import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { useWrites } from '../../lib/outbox/index.ts'
import { tickTask } from '../../lib/tasks.ts'
import { Button } from '../../ui/Button.tsx'
import { IconPencil } from '../../ui/icons.ts'
import { LongTextEditor, LongTextState } from '../../ui/LongText.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { useLongText } from '../../ui/use-long-text.ts'
import { textQuery } from '../api.ts'
import type { Row } from '../artifact.ts'
import { editText, type TextChange } from '../texts.ts'
import css from './Preview.module.css'

/** A document, to read and to edit. */
export function DocumentText({ projectId, row }: { projectId: string; row: Row }) {
  const start = useSuspenseQuery(textQuery(projectId, row.id)).data
  const mayWrite = useMayWrite()
  const isBegun = useLocation({ select: ({ hash }) => hash === 'edit' })
  const edit = useLongText({
    draft: `${row.id}-text`,
    start,
    write: useWrites(row.id).find(({ part }) => part === 'text'),
    lost({ input }) {
      const { text, base, etag } = input as TextChange
      return { text, from: { text: base, etag } }
    },
    send: (text, from) => void editText(projectId, row, text, from),
  })
  // Whoever has just created it wants to write.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is opened
  useEffect(() => {
    if (isBegun && mayWrite) edit.open()
  }, [])
  const { text } = start
  return (
    <div className={css.page}>
      {edit.text !== undefined || edit.failed ? (
        <LongTextEditor label={`Text of ${row.name}`} edit={edit} />
      ) : (
        <>
          <LongTextState edit={edit} />
          {text.trim() ? (
            <Markdown text={text} onTick={mayWrite ? (at) => edit.save(tickTask(text, at)) : undefined} />
          ) : (
            <p>Nothing is written here yet.</p>
          )}
          {mayWrite && (
            <p>
              <Button className={css.edit} icon={<IconPencil size={15} stroke={1.75} />} onClick={edit.open}>
                Edit the text
              </Button>
            </p>
          )}
        </>
      )}
    </div>
  )
}
