import { useRouteContext, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Editor } from '../../editor/create-editor.ts'
import { queryClient } from '../../lib/query-client.ts'
import { contentQuery } from '../api.ts'
import { blockAtLine, elementOfLine } from '../find-line.ts'
import type { Kind } from '../kind.ts'
import css from './FoundLine.module.css'

/** Scrolls to the line that the address names and marks it. The editor owns its elements, so the mark lies over them. */
export function FoundLine({ kind, id, editor }: { kind: Kind; id: string; editor: Editor }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { line } = useSearch({ strict: false })
  const [box, setBox] = useState<{ top: number; height: number }>()
  useEffect(() => {
    setBox(undefined)
    if (!line) return
    let isOver = false
    const look = async () => {
      const { text } = await queryClient.ensureQueryData(contentQuery(project.id, kind, id))
      if (isOver || editor.view.isDestroyed) return
      const blocks: (HTMLElement | undefined)[] = []
      editor.view.state.doc.forEach((_, offset) => {
        const element = editor.view.nodeDOM(offset)
        blocks.push(element instanceof HTMLElement ? element : undefined)
      })
      const found = elementOfLine(blocks, blockAtLine(text, Number(line)))
      const page = found?.closest('article')
      if (!found || !page) return
      found.scrollIntoView({ block: 'center' })
      // Of a long document, what is near is laid out only after it was scrolled to.
      requestAnimationFrame(() => {
        found.scrollIntoView({ block: 'center' })
        const { top, height } = found.getBoundingClientRect()
        if (!isOver) setBox({ top: top - page.getBoundingClientRect().top, height })
      })
    }
    void look()
    // What is written moves the lines, so the mark goes with the first change.
    const before = editor.view.state.doc
    const stop = editor.revision.subscribe(() => {
      if (editor.view.state.doc !== before) setBox(undefined)
    })
    return () => {
      isOver = true
      stop()
    }
  }, [project.id, kind, id, line, editor])
  return box ? <div className={css.line} style={box} role="note" aria-label={`Line ${line}`} /> : null
}
