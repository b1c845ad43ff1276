import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isNew } from '../../lib/ids.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { noteHere } from '../../lib/still-here.ts'
import { useStore } from '../../lib/store.ts'
import { showToast } from '../../lib/toasts.ts'
import { useStable } from '../../lib/use-stable.ts'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { type TreeNode, treeQuery } from '../api.ts'
import { KINDS, type Kind } from '../kind.ts'
import { createDocument, sayCreated } from './creation.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import css from './DocumentTree.module.css'
import { hiddenDocuments } from './deletion.ts'
import { moveDocument, renameDocument } from './edits.ts'
import { GroupRow } from './GroupRow.tsx'
import { MovePicker } from './MovePicker.tsx'
import { arrowMove, type DropZone, placeAt } from './moves.ts'
import { NameField, type NodeActions, NodeMenu, NodeRow } from './NodeRow.tsx'
import { ancestorsOf, rowsOf, withoutNode } from './tree.ts'
import { pressInTree } from './tree-keys.ts'
import { useRememberedSet } from './use-remembered-set.ts'
import { useRowSizes } from './use-row-sizes.ts'

const OPEN_MS = 600

/** The documents of a module. Works with the pointer, and with the keys of a tree. */
export function DocumentTree({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { documentId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(treeQuery(project.id, kind))
  const gone = useStore(hiddenDocuments)
  const tree = useMemo(() => data && [...gone].reduce(withoutNode, data), [data, gone])
  const [open, setOpen] = useRememberedSet(`tree-${project.id}-${kind}`)
  const [closedGroups, setClosedGroups] = useRememberedSet(`groups-${project.id}-${kind}`)
  const [adding, setAdding] = useState<{ groupId: string; parentId: string | null }>()
  const [renaming, setRenaming] = useState<string>()
  const [deleting, setDeleting] = useState<TreeNode>()
  const [focused, setFocused] = useState<string>()
  const [dragged, setDragged] = useState<TreeNode>()
  const [zone, setZone] = useState<DropZone>()
  const [moving, setMoving] = useState<{ node: TreeNode; anchor: DOMRect }>()
  const [menu, setMenu] = useState<{ node: TreeNode; anchor: DOMRect }>()
  const [said, say] = useState('')
  const scroller = useRef<HTMLDivElement>(null)
  const mayWrite = useMayWrite()
  const rows = useMemo(
    () => (tree ? rowsOf(tree, { open, closedGroups, adding }) : []),
    [tree, open, closedGroups, adding],
  )
  const sizes = useRowSizes()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (rows[at]?.type === 'group' ? sizes.groupPx : sizes.rowPx),
    getItemKey: useCallback((at: number) => rows[at]!.id, [rows]),
    overscan: 8,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes have changed.
  useEffect(() => void virtual.measure(), [sizes, virtual])

  // Whoever holds a document over a closed line for a moment wants to see what is in it.
  useEffect(() => {
    if (zone?.where !== 'inside') return
    const timer = setTimeout(() => {
      setOpen((old) => new Set(old).add(zone.id))
      setClosedGroups((old) => (old.has(zone.id) ? toggled(old, zone.id) : old))
    }, OPEN_MS)
    return () => clearTimeout(timer)
  }, [zone?.id, zone?.where, setOpen, setClosedGroups])

  // The open document is always visible in the tree.
  const path = useMemo(
    () =>
      data && documentId
        ? ancestorsOf(data.nodes, documentId)
            .map(({ id }) => id)
            .join()
        : '',
    [data, documentId],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another document opens its ancestors again
  useEffect(() => {
    if (path) setOpen((old) => new Set([...old, ...path.split(',')]))
  }, [path, documentId])
  const currentAt = rows.findIndex(({ id }) => id === (adding ? 'new' : documentId))
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another line becomes the current one
  useEffect(() => {
    if (currentAt >= 0) virtual.scrollToIndex(currentAt, { align: 'auto' })
  }, [adding, documentId, currentAt >= 0])

  const locked = useMemo(() => new Set(tree?.groups.filter((group) => group.locked).map(({ id }) => id)), [tree])
  const on = useStable<NodeActions>({
    toggle,
    add: (node) => startAdding(node.group_id, node.id),
    rename: setRenaming,
    renamed: (node, title) => {
      setRenaming(undefined)
      scroller.current?.focus()
      if (title) renameDocument(project.id, kind, node, title)
    },
    menu: (node, beside) => setMenu({ node, anchor: beside.getBoundingClientRect() }),
    open: (id) => goTo(id),
    dragStart: setDragged,
    dragEnd: () => {
      setDragged(undefined)
      setZone(undefined)
    },
    dragOver: hold,
    drop,
  })

  if (error && !tree)
    return (
      <div className={css.fault}>
        <LoadFault what="The tree" error={error} onRetry={refetch} />
      </div>
    )
  if (!tree) return <div className={css.tree} aria-busy />

  const toggleGroup = (id: string) => setClosedGroups((old) => toggled(old, id))
  const add = async (title: string) => {
    const target = adding
    setAdding(undefined)
    const group = tree.groups.find(({ id }) => id === target?.groupId)
    if (!group || !target) return
    const isStillHere = noteHere()
    const id = await createDocument(project.id, kind, { title, group, parentId: target.parentId })
    // It has its title: the text comes next.
    if (id && isStillHere()) goTo(id, 'text')
    else if (id) sayCreated(project.id, kind, id, title)
  }
  function move(node: TreeNode, to: ReturnType<typeof placeAt>): void {
    if (!to) return
    if (to.parentId) setOpen((old) => new Set(old).add(to.parentId!))
    setClosedGroups((old) => (old.has(to.groupId) ? toggled(old, to.groupId) : old))
    if (moveDocument(project.id, kind, node, to)) say(`${node.title} moved`)
  }

  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const at = rows.findIndex(({ id }) => id === (focused ?? documentId))
    const used = pressInTree(event, {
      rows,
      at,
      mayWrite: mayWrite && !isNew(rows[at] ?? { id: '' }),
      focus(next) {
        setFocused(rows[next]!.id)
        virtual.scrollToIndex(next, { align: 'auto' })
      },
      toggle,
      toggleGroup,
      open: goTo,
      rename: setRenaming,
      remove: setDeleting,
      move(node, arrow) {
        const to = arrowMove(tree, node, arrow)
        if (typeof to === 'string') showToast({ text: to })
        else move(node, to)
      },
    })
    if (!used) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      <div
        ref={scroller}
        className={css.tree}
        role="tree"
        tabIndex={0}
        aria-label={KINDS[kind].title}
        aria-activedescendant={focused && `node-${focused}`}
        data-own-keys
        onKeyDown={press}
        onFocus={(event) =>
          event.target === event.currentTarget && setFocused((old) => old ?? documentId ?? rows[0]?.id)
        }
        onBlur={(event) => event.target === event.currentTarget && setFocused(undefined)}
      >
        <div className={css.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const row = rows[index]!
            const place = { transform: `translateY(${start}px)`, height: size }
            return (
              <div key={row.id} className={css.row} style={place}>
                {row.type === 'group' ? (
                  <GroupRow
                    row={row}
                    isFocused={focused === row.id}
                    mayWrite={mayWrite}
                    isTarget={zone?.id === row.id}
                    onToggle={() => toggleGroup(row.id)}
                    onAdd={() => startAdding(row.id, null)}
                    onDragOver={() => hold({ id: row.id, where: 'inside' })}
                    onDrop={() => drop({ id: row.id, where: 'inside' })}
                    dragging={dragged !== undefined}
                  />
                ) : row.type === 'new' ? (
                  <NameField
                    label={`Title of the new ${KINDS[kind].one}`}
                    depth={row.depth}
                    value=""
                    onDone={(title) => (title ? void add(title) : setAdding(undefined))}
                  />
                ) : (
                  <NodeRow
                    href={`/p/${project.id}/${kind}/${row.id}`}
                    row={row}
                    isLocked={locked.has(row.node.group_id)}
                    isCurrent={row.id === documentId}
                    isFocused={focused === row.id}
                    isRenaming={renaming === row.id}
                    isDragged={dragged?.id === row.id}
                    mayWrite={mayWrite && !isNew(row)}
                    zone={zone?.id === row.id ? zone.where : undefined}
                    dragging={dragged !== undefined}
                    on={on}
                  />
                )}
              </div>
            )
          })}
        </div>
      </div>
      <p className="sr-only" role="status">
        {said}
      </p>
      {menu && (
        <NodeMenu
          isLocked={locked.has(menu.node.group_id)}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
          onPick={(action) => {
            const { node } = menu
            if (action === 'add') startAdding(node.group_id, node.id)
            else if (action === 'rename') setRenaming(node.id)
            else if (action === 'move') setMoving(menu)
            else setDeleting(node)
          }}
        />
      )}
      {moving && (
        <MovePicker
          kind={kind}
          tree={tree}
          {...moving}
          onClose={() => setMoving(undefined)}
          onPick={(to) => move(moving.node, to)}
        />
      )}
      {deleting && (
        <DeleteDialog
          projectId={project.id}
          kind={kind}
          tree={tree}
          node={deleting}
          isOpen={deleting.id === documentId}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  )

  function goTo(id: string, hash?: 'text'): void {
    if (isNew({ id })) return
    const params = { projectId: project.id, documentId: id }
    void navigate({ to: `/p/$projectId/${kind}/$documentId`, params, ...(hash && { hash }) })
  }

  function toggle(id: string): void {
    setOpen((old) => toggled(old, id))
  }

  function startAdding(groupId: string, parentId: string | null): void {
    setAdding({ groupId, parentId })
  }

  /** Browsers repeat this all the time while something is held over a line. */
  function hold(at: DropZone): void {
    setZone((old) => (old?.id === at.id && old.where === at.where ? old : at))
  }

  function drop(at: DropZone): void {
    if (dragged && tree) move(dragged, placeAt(tree, dragged, at))
    setDragged(undefined)
    setZone(undefined)
  }
}

const toggled = (old: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(old)
  if (!next.delete(id)) next.add(id)
  return next
}
