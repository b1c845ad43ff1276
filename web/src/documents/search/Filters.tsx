import type { ReactNode } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconFileText, IconFoldDown, IconFolders, IconFoldUp } from '../../ui/icons.ts'
import { type Option, Pick } from '../../ui/Pick.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import type { Tree } from '../api.ts'
import { groupTitle, KINDS, type Kind } from '../kind.ts'
import { rowsOf } from '../tree/tree.ts'
import css from './SearchPage.module.css'
import { CONTEXTS } from './text-search.ts'

interface Props {
  kind: Kind
  tree: Tree | undefined
  within: string | undefined
  onWithin(id: string | undefined): void
  context: number
  onContext(lines: number): void
  counted: ReactNode
  allClosed: boolean
  onFold(): void
}

const ALL = 'all'
const linesOf = (count: number) => (count === 1 ? '1 line' : `${count} lines`)

/** Where to look, how much to show around a match, and how much was found. */
export function Filters({ kind, tree, within, onWithin, context, onContext, counted, allClosed, onFold }: Props) {
  const group = tree?.groups.find(({ id }) => id === within)
  const node = tree?.nodes.find(({ id }) => id === within)
  const name = group ? groupTitle(group.name) : node ? `${node.title} and below` : `All ${kind}`
  return (
    <div className={css.filters}>
      <PopUp
        target={({ toggle, open }) => (
          <button type="button" className={css.filter} aria-expanded={open} onClick={toggle}>
            <span className="sr-only">Search in</span> <span className={css.filterName}>{name}</span>
            <IconChevronDown size={14} stroke={1.75} />
          </button>
        )}
      >
        {(close) => (
          <Pick
            placeholder="Search in…"
            options={tree ? placesOf(tree, kind) : []}
            selected={[within ?? ALL]}
            onPick={(value) => {
              close()
              onWithin(value === ALL ? undefined : value)
            }}
          />
        )}
      </PopUp>
      <PopUp
        target={({ toggle, open }) => (
          <button type="button" className={css.filter} aria-expanded={open} onClick={toggle}>
            Context: {linesOf(context)}
            <IconChevronDown size={14} stroke={1.75} />
          </button>
        )}
      >
        {(close) => (
          <Pick
            options={CONTEXTS.map((lines) => ({ value: String(lines), label: linesOf(lines) }))}
            selected={[String(context)]}
            onPick={(value) => {
              close()
              onContext(Number(value))
            }}
          />
        )}
      </PopUp>
      <span className={css.counted}>{counted}</span>
      {counted && (
        <IconButton small label={allClosed ? 'Expand all' : 'Collapse all'} onClick={onFold}>
          {allClosed ? <IconFoldDown size={15} stroke={1.75} /> : <IconFoldUp size={15} stroke={1.75} />}
        </IconButton>
      )}
    </div>
  )
}

/** All groups, and the documents that have others below them. */
function placesOf(tree: Tree, kind: Kind): Option[] {
  const open = new Set(tree.nodes.map(({ id }) => id))
  const rows = rowsOf(tree, { open, closedGroups: new Set(), adding: undefined })
  return [
    { value: ALL, label: `All ${KINDS[kind].title.toLowerCase()}` },
    ...rows.flatMap((row): Option[] => {
      if (row.type === 'group')
        return [
          {
            value: row.id,
            label: groupTitle(row.group.name),
            icon: <IconFolders size={15} stroke={1.75} />,
            count: row.count,
            divided: true,
          },
        ]
      if (row.type !== 'node' || row.childCount === 0) return []
      return [{ value: row.id, label: `${row.node.title} and below`, icon: <IconFileText size={15} stroke={1.75} /> }]
    }),
  ]
}
