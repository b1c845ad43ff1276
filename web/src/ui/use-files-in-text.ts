import { useParams } from '@tanstack/react-router'
import { type RefObject, useRef, useState } from 'react'
import { putInto } from '../lib/put-into.ts'
import { markdownOf, type StoredFile, takingFiles } from '../lib/uploads/files.ts'
import { storeForText } from '../lib/uploads/files-in-texts.ts'

/** Stores what is pasted or dropped, and puts it where it was. Where the text before has changed, at the cursor. */
export function useFilesInText(field: RefObject<HTMLTextAreaElement | null>, onChange: (text: string) => void) {
  const projectId = useParams({ strict: false }).projectId
  /** The name of the file that is being stored. */
  const [storing, setStoring] = useState<string>()
  const latest = useRef(onChange)
  latest.current = onChange
  const take = (files: File[]) => {
    if (!projectId) return
    const before = field.current!.value.slice(0, field.current!.selectionStart)
    let offset = before.length
    const put = (stored: StoredFile) => {
      if (!field.current) return
      const { value, selectionStart } = field.current
      const at = value.startsWith(before) ? Math.min(offset, value.length) : selectionStart
      const text = (at > 0 && !/\s/.test(value[at - 1]!) ? ' ' : '') + markdownOf(stored)
      latest.current(putInto(field.current, at, at, text))
      offset = at + text.length
    }
    void storeForText(projectId, files, put, setStoring)
  }
  return { storing, take, taking: takingFiles(take) }
}
