import { type DragEvent, useRef } from 'react'
import type { Row as ArtifactRow } from '../artifact.ts'
import { beginDrag, draggedRows } from '../dragging.ts'
import { moveArtifacts } from '../moves.ts'
import { selected } from '../selection.ts'

interface Drags {
  projectId: string
  rowAt(target: EventTarget): ArtifactRow | undefined
  withRow(row: ArtifactRow): ArtifactRow[]
  mayWrite: boolean
}

/** Rows can be dragged onto folders. One listener serves all of them. */
export function useRowDrags({ projectId, rowAt, withRow, mayWrite }: Drags) {
  const marked = useRef<Element>(null)
  const mark = (row: Element | null) => {
    marked.current?.removeAttribute('data-target')
    row?.setAttribute('data-target', '')
    marked.current = row
  }
  const targetOf = (event: DragEvent) => {
    const row = rowAt(event.target)
    const dragged = draggedRows.get()
    return row?.type === 'folder' && dragged.length > 0 && !dragged.some(({ id }) => id === row.id) ? row : undefined
  }
  if (!mayWrite) return {}
  return {
    onPointerDown({ target }: { target: EventTarget }) {
      const line = (target as Element).closest<HTMLElement>('[data-row]')
      if (line) line.draggable = true
    },
    onDragStart(event: DragEvent) {
      const row = rowAt(event.target)
      if (row) beginDrag(event.dataTransfer, withRow(row))
    },
    onDragEnd() {
      mark(null)
      draggedRows.set([])
    },
    onDragOver(event: DragEvent) {
      const row = targetOf(event)
      mark(row ? (event.target as Element).closest('[data-row]') : null)
      if (row) event.preventDefault()
    },
    onDrop(event: DragEvent) {
      const row = targetOf(event)
      mark(null)
      if (!row) return
      event.preventDefault()
      moveArtifacts(projectId, draggedRows.get(), row)
      draggedRows.set([])
      selected.clear()
    },
  }
}
