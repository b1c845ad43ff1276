import { type MouseEvent, useMemo, useRef } from 'react'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { useStore } from '../../lib/store.ts'
import { useTicking } from '../../lib/ticks.ts'
import { BatchAction, BatchBar } from '../../ui/BatchBar.tsx'
import { IconArrowRight, IconTrash } from '../../ui/icons.ts'
import { GroupedList } from '../../ui/list/GroupedList.tsx'
import { type ListHandle, useCursor } from '../../ui/list/use-cursor.ts'
import { useRangeSelection } from '../../ui/list/use-range-selection.ts'
import type { Row as ArtifactRow } from '../artifact.ts'
import { renameArtifact, trashArtifacts } from '../edits.ts'
import { selected } from '../selection.ts'
import { useShortcut } from '../shortcuts.ts'
import { EndOfList } from './EndOfList.tsx'
import css from './FolderList.module.css'
import { Grid } from './Grid.tsx'
import { openMovePicker } from './MovePicker.tsx'
import { NamingRow } from './NamingRow.tsx'
import { useOpenArtifact } from './open-artifact.ts'
import { NarrowRow, Row } from './Row.tsx'
import { useRowMenu } from './row-menu.tsx'
import { useRowDrags } from './use-row-drags.ts'

const ROW_PX = 38
const NARROW_PX = 61
const END = { id: 'end' }
const NONE: ReadonlySet<string> = new Set()

interface Props {
  projectId: string
  rows: ArtifactRow[]
  isGrid: boolean
  /** Rows lie in different folders. */
  isSearch: boolean
  openId: string | undefined
  renaming: string | undefined
  onRename(id: string | undefined): void
  /** Reads the next page. Undefined if all rows were read. */
  onMore: (() => void) | undefined
}

/** The rows of a folder, with their keys: moving, selecting, renaming, deleting. */
export function FolderList(props: Props) {
  const { projectId, rows, isGrid, isSearch, openId, renaming, onRename, onMore } = props
  const mayWrite = useMayWrite()
  const isNarrow = useWidth(PHONE)
  const open = useOpenArtifact(projectId)
  const chosenIds = useStore(selected.ids)
  const today = useTicking(() => new Date().setHours(0, 0, 0, 0))
  const list = useRef<ListHandle>(null)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { step, clear, ...cursor } = useCursor(ids, { openId, list })
  const { select, selectAll } = useRangeSelection(selected, ids)
  const chosen = useMemo(() => rows.filter(({ id }) => chosenIds.has(id)), [rows, chosenIds])
  const focused = rows.find(({ id }) => id === cursor.focusedId)
  const targets = chosen.length > 0 ? chosen : focused ? [focused] : []
  const { open: openMenu, menu } = useRowMenu(projectId, { mayWrite, onRename: ({ id }) => onRename(id) })
  const groups = useMemo(() => [{ key: 'rows', rows: [...rows, END] }], [rows])

  const lineOf = (id: string | undefined) => document.querySelector(`[data-row="${id}"]`) ?? document.body
  const remove = () => {
    trashArtifacts(projectId, targets)
    selected.clear()
  }
  const move = () => openMovePicker(projectId, targets, lineOf(targets[0]!.id))
  const canAct = mayWrite && targets.length > 0
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  useShortcut('select', focused && (() => select(focused.id, false)))
  useShortcut('select-all', selectAll)
  useShortcut('open', focused && (() => open(focused, { asPage: true })))
  useShortcut('open-beside', focused && (() => open(focused)))
  useShortcut('back', chosen.length > 0 ? selected.clear : focused ? clear : undefined)
  useShortcut('rename', mayWrite && focused ? () => onRename(focused.id) : undefined)
  useShortcut('move', canAct ? move : undefined)
  useShortcut('trash', canAct ? remove : undefined)
  useShortcut('delete', canAct ? remove : undefined)
  useShortcut('row-menu', focused && (() => openMenu(targets, lineOf(focused.id))))

  const rowAt = (target: EventTarget) => {
    const id = (target as Element).closest<HTMLElement>('[data-row]')?.dataset.row
    return rows.find((row) => row.id === id)
  }
  /** What an action on a row means: all that are selected, if it is one of them. */
  const withRow = (row: ArtifactRow) => (chosenIds.has(row.id) ? chosen : [row])
  const click = (event: MouseEvent) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-cell]')
    const row = rowAt(event.target)
    if (!cell || !row) return
    if (cell.dataset.cell === 'menu') return openMenu(withRow(row), cell)
    if (cell.dataset.cell === 'select') {
      event.preventDefault()
      return select(row.id, event.shiftKey)
    }
    // With a key or another button, the browser opens the address of the link.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    open(row)
  }
  const contextMenu = (event: MouseEvent) => {
    const row = rowAt(event.target)
    if (!row) return
    event.preventDefault()
    openMenu(withRow(row), event.target as Element, event)
  }
  const renamed = ({ id }: ArtifactRow, name: string | undefined, before: string) => {
    onRename(undefined)
    cursor.wantsFocus.current = true
    if (name) renameArtifact(projectId, id, before, name)
  }
  const hrefOf = ({ id }: ArtifactRow) => `/p/${projectId}/knowledge-base/${id}`
  const drags = useRowDrags({ projectId, rowAt, withRow, mayWrite })
  return (
    <div className={css.list} data-grid={isGrid || undefined} {...drags}>
      {isGrid ? (
        <Grid
          projectId={projectId}
          rows={rows}
          selected={chosenIds}
          focusedId={cursor.focusedId}
          renaming={renaming}
          onRenamed={renamed}
          hrefOf={hrefOf}
          onClick={click}
          onContextMenu={contextMenu}
        >
          <EndOfList onMore={onMore} />
        </Grid>
      ) : (
        <>
          {!isNarrow && (
            <div className={css.head} aria-hidden="true">
              <span className={css.name}>Name</span>
              <span className={css.used}>Used</span>
              <span className={css.size}>Size</span>
              <span className={css.by}>By</span>
              <span className={css.updated}>Updated</span>
            </div>
          )}
          <GroupedList
            label="Files and folders"
            groups={groups}
            folded={NONE}
            cursor={cursor}
            handle={list}
            rowPx={isNarrow ? NARROW_PX : ROW_PX}
            headPx={0}
            isMeasured={isNarrow}
            head={undefined}
            row={(line, place) => {
              if (line === END) return <EndOfList onMore={onMore} place={isNarrow ? undefined : place} />
              const row = line as ArtifactRow
              if (row.id === renaming)
                return <NamingRow row={row} place={place} onDone={(name, before) => renamed(row, name, before)} />
              const shown = { row, href: hrefOf(row), selected: chosenIds.has(row.id), mayWrite, today }
              return isNarrow ? (
                <NarrowRow {...shown} selecting={chosenIds.size > 0} withPath={isSearch} />
              ) : (
                <Row {...shown} focused={cursor.focusedId === row.id} place={place} withPath={isSearch} />
              )
            }}
            onClick={click}
            onContextMenu={contextMenu}
          />
        </>
      )}
      <BatchBar label="Selected files" count={chosen.length} onClear={selected.clear}>
        {mayWrite && (
          <>
            <BatchAction
              name="Move"
              keys="m"
              icon={<IconArrowRight size={16} stroke={1.75} />}
              onClick={({ currentTarget }) => openMovePicker(projectId, chosen, currentTarget)}
            />
            <BatchAction name="Delete" icon={<IconTrash size={16} stroke={1.75} />} onClick={remove} />
          </>
        )}
      </BatchBar>
      {menu}
    </div>
  )
}
