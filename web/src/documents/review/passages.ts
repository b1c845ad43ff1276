import type { AnchoredThread } from '@slipway/sdk'
import { useEffect, useMemo, useRef } from 'react'
import { changeAnchors, placeOfThread } from '../../editor/anchors.ts'
import type { Editor } from '../../editor/create-editor.ts'
import { useMarked } from './Margin.tsx'
import type { Comments } from './use-comments.ts'

/** Marks the passages of open threads in the text, the active one more strongly. */
export function usePassages(editor: Editor | undefined, threads: AnchoredThread[], active: string | undefined): void {
  const anchored = useMemo(
    () => threads.flatMap(({ id, anchor, is_resolved }) => (anchor && !is_resolved ? [{ id, anchor }] : [])),
    [threads],
  )
  const last = useRef<{ editor: Editor; ids: string }>(undefined)
  useEffect(() => {
    if (!editor) return
    const ids = anchored.map(({ id }) => id).join()
    // Places are known better by the editor, which has followed them, than by reading them again.
    if (last.current?.editor === editor && last.current.ids === ids) return
    last.current = { editor, ids }
    changeAnchors(editor.view, { threads: anchored })
  }, [editor, anchored])
  useEffect(() => {
    if (editor) changeAnchors(editor.view, { active })
  }, [editor, active])
  const place = editor && active ? placeOfThread(editor.view.state, active)?.from : undefined
  useMarked(editor, place, active)
}

/** Opens the thread that the address names. Returns its id. */
export function useLinkedThread(
  editor: Editor | undefined,
  { threads, isLoaded }: Comments,
  onThread: (id: string) => void,
  showAll: () => void,
): string | undefined {
  const wanted = useRef(new URLSearchParams(location.search).get('comment') ?? undefined)
  const isDone = useRef(false)
  useEffect(() => {
    if (!editor || !isLoaded || isDone.current || !wanted.current) return
    isDone.current = true
    const thread = threads.find(({ id }) => id === wanted.current)
    if (!thread) return
    if (thread.is_resolved) showAll()
    else onThread(thread.id)
  })
  return wanted.current
}
