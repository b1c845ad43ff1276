/** One line of a tree. */
export type TreeRow =
  | { type: 'group'; id: string; title: string; count: number; isOpen: boolean }
  | {
      type: 'node'
      id: string
      title: string
      /** The id of the line that it stands below. */
      parent: string
      depth: number
      childCount: number
      isOpen: boolean
    }
  /** Where a new one is named. */
  | { type: 'new'; id: string; depth: number }

export type NodeRow = Extract<TreeRow, { type: 'node' }>
export type GroupRow = Extract<TreeRow, { type: 'group' }>

/** Where something is held over a line, or dropped: before it, in it or after it. */
export interface DropZone {
  id: string
  where: 'before' | 'inside' | 'after'
}

/** What is so about one line at the moment. */
export interface LineState {
  isCurrent: boolean
  isFocused: boolean
  isDragged: boolean
  /** Something is being dragged over the tree. */
  dragging: boolean
  zone: DropZone['where'] | undefined
  drag: {
    start(id: string): void
    end(): void
    over(at: DropZone): void
    drop(at: DropZone): void
  }
}
