import { useQuery } from '@tanstack/react-query'
import { useMayWrite } from '../../lib/may-write.ts'
import { useWrites } from '../../lib/outbox/index.ts'
import { LongTextEditor, LongTextState } from '../../ui/LongText.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { useLongText } from '../../ui/use-long-text.ts'
import type { ThemeRow } from './api.ts'
import { editNotes, type NotesChange, notesQuery } from './notes.ts'
import css from './ThemeNotes.module.css'

interface Props {
  row: ThemeRow
  projectId: string
}

/** What the team notes about a theme, at any length. */
export function ThemeNotes({ row, projectId }: Props) {
  const notes = useQuery(notesQuery(projectId, row.id)).data
  const mayWrite = useMayWrite()
  const edit = useLongText({
    draft: `${row.id}-notes`,
    start: notes ?? { text: '', etag: undefined },
    write: useWrites(row.id).find(({ kind }) => kind === 'feedback.theme-notes'),
    lost({ input }) {
      const { text, base, etag } = input as NotesChange
      return { text, from: { text: base, etag } }
    },
    send: (text, from) => void editNotes(projectId, row, text, from),
  })
  if (!notes) return null
  if (edit.text !== undefined || edit.failed) return <LongTextEditor label="Notes" edit={edit} />
  const isEmpty = notes.text.trim() === ''
  if (isEmpty && !mayWrite) return null
  return (
    <section className={css.notes} aria-label="Notes">
      <LongTextState edit={edit} />
      {!isEmpty && <Markdown text={notes.text} />}
      {mayWrite && (
        <button type="button" className={css.edit} onClick={edit.open}>
          {isEmpty ? 'Add notes…' : 'Edit notes'}
        </button>
      )}
    </section>
  )
}
