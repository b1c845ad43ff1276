import { useRef, useState } from 'react'
import { Button, IconButton } from '../ui/Button.tsx'
import { IconFileText, IconPencil } from '../ui/icons.ts'
import { NameField } from '../ui/tree/NameField.tsx'
import { Tree } from '../ui/tree/Tree.tsx'
import { TreeGroup } from '../ui/tree/TreeGroup.tsx'
import { TreeLine } from '../ui/tree/TreeLine.tsx'
import type { DropZone, TreeRow } from '../ui/tree/tree-row.ts'
import { LONG, Part, State } from './Example.tsx'
import css from './Parts.module.css'

interface Node {
  id: string
  title: string
  parent: string
}

const GROUP = 'group'
const NEW = 'new'
const SIGN = <IconFileText size={14} stroke={1.75} />
const NODES: Node[] = [
  { id: 'checkout', title: 'Checkout', parent: GROUP },
  { id: 'totals', title: 'Totals', parent: 'checkout' },
  { id: 'rounding', title: 'Rounding', parent: 'totals' },
  { id: 'long', title: LONG, parent: GROUP },
  { id: 'refunds', title: 'Refunds', parent: GROUP },
]

/** The lines below one, in order. A closed line hides those below it. */
function linesBelow(nodes: Node[], open: Set<string>, parent: string, depth = 0): TreeRow[] {
  return nodes
    .filter((node) => node.parent === parent)
    .flatMap((node): TreeRow[] => {
      const childCount = nodes.filter((one) => one.parent === node.id).length
      const isOpen = open.has(node.id)
      const below = isOpen ? linesBelow(nodes, open, node.id, depth + 1) : []
      return [{ type: 'node', ...node, depth, childCount, isOpen }, ...below]
    })
}

const isBelow = (nodes: Node[], id: string, above: string): boolean =>
  id === above || nodes.some((node) => node.id === id && isBelow(nodes, node.parent, above))

/** The lines after one was dropped. Nothing goes below itself. */
function moved(nodes: Node[], id: string, at: DropZone): Node[] {
  const node = nodes.find((one) => one.id === id)
  if (!node || isBelow(nodes, at.id, id)) return nodes
  const others = nodes.filter((one) => one !== node)
  const to = others.findIndex((one) => one.id === at.id)
  if (at.where === 'inside' || to === -1) return [...others, { ...node, parent: at.id }]
  return others.toSpliced(at.where === 'before' ? to : to + 1, 0, { ...node, parent: others[to]!.parent })
}

function Documents({ first }: { first: Node[] }) {
  const [nodes, setNodes] = useState(first)
  const [open, setOpen] = useState(new Set([GROUP, 'checkout']))
  const [current, setCurrent] = useState('totals')
  const [naming, setNaming] = useState<string>()
  const [said, say] = useState('')
  const scroller = useRef<HTMLDivElement>(null)
  const group: TreeRow = {
    type: 'group',
    id: GROUP,
    title: 'Blueprints',
    count: nodes.length,
    isOpen: open.has(GROUP),
  }
  const rows: TreeRow[] = [
    group,
    ...(naming === NEW ? [{ type: 'new' as const, id: NEW, depth: 0 }] : []),
    ...(group.isOpen ? linesBelow(nodes, open, GROUP) : []),
  ]
  const toggle = (id: string) => setOpen(new Set(open.has(id) ? [...open].filter((one) => one !== id) : [...open, id]))
  const move = (id: string, at: DropZone) => {
    setNodes(moved(nodes, id, at))
    say(`${nodes.find((one) => one.id === id)?.title} moved`)
  }
  const named = (title: string | undefined) => {
    setNaming(undefined)
    scroller.current?.focus()
    if (!title) return
    if (naming === NEW) setNodes([{ id: `${NEW}-${nodes.length}`, title, parent: GROUP }, ...nodes])
    else setNodes(nodes.map((one) => (one.id === naming ? { ...one, title } : one)))
  }
  const on = { toggle, open: setCurrent, rename: setNaming }
  return (
    <div className={css.tree}>
      <Tree
        label={first.length > 0 ? 'Blueprints' : 'Empty blueprints'}
        rows={rows}
        current={current}
        shown={naming}
        mayChange={(row) => row.type === 'node'}
        said={said}
        scroller={scroller}
        on={{
          ...on,
          unfold: (id) => setOpen(new Set([...open, id])),
          remove: (id) => setNodes(nodes.filter((one) => !isBelow(nodes, one.id, id))),
          step(id, arrow) {
            const beside = nodes.filter(({ parent }) => parent === nodes.find((one) => one.id === id)?.parent)
            const isUp = arrow === 'ArrowUp'
            const next = beside[beside.findIndex((one) => one.id === id) + (isUp ? -1 : 1)]
            if (next) move(id, { id: next.id, where: isUp ? 'before' : 'after' })
          },
          drop: move,
        }}
      >
        {(row, line) =>
          row.type === 'group' ? (
            <TreeGroup {...line} row={row} onToggle={() => toggle(row.id)}>
              <Button look="quiet" tabIndex={-1} onClick={() => setNaming(NEW)}>
                New
              </Button>
            </TreeGroup>
          ) : row.type === 'new' || row.id === naming ? (
            <NameField
              label="Title"
              icon={SIGN}
              depth={row.depth}
              value={row.type === 'new' ? '' : row.title}
              onDone={named}
            />
          ) : (
            <TreeLine
              {...line}
              row={row}
              href={`#${row.id}`}
              icon={SIGN}
              mayChange
              on={on}
              tools={
                <IconButton label={`Rename ${row.title}`} small tabIndex={-1} onClick={() => setNaming(row.id)}>
                  <IconPencil size={14} />
                </IconButton>
              }
            />
          )
        }
      </Tree>
    </div>
  )
}

export const Trees = () => (
  <>
    <Part name="Tree, TreeGroup, TreeLine">
      <State is="one is open beside it, long text">
        <Documents first={NODES} />
      </State>
      <State is="empty">
        <Documents first={[]} />
      </State>
    </Part>
    <Part name="NameField">
      {[
        ['empty', ''],
        ['renaming', 'Totals'],
        ['long text', LONG],
      ].map(([is, value]) => (
        <State key={is} is={is!}>
          <div className={css.tree}>
            <NameField label={`Title, ${is}`} icon={SIGN} depth={0} value={value!} onDone={() => {}} />
          </div>
        </State>
      ))}
    </Part>
  </>
)
