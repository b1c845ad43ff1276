import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isNew } from '../../lib/ids.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { noteHere } from '../../lib/still-here.ts'
import { showToast } from '../../lib/toasts.ts'
import { useRememberedSet } from '../../lib/use-remembered-set.ts'
import { useStable } from '../../lib/use-stable.ts'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { NameField } from '../../ui/tree/NameField.tsx'
import css from '../../ui/tree/Tree.module.css'
import { Tree } from '../../ui/tree/Tree.tsx'
import { TreeGroup } from '../../ui/tree/TreeGroup.tsx'
import { type TreeNode, treeQuery } from '../api.ts'
import { KINDS, type Kind } from '../kind.ts'
import { createDocument, sayCreated } from './creation.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { useDeleted } from './deletion.ts'
import { moveDocument, renameDocument } from './edits.ts'
import { GroupTools } from './GroupTools.tsx'
import { MovePicker } from './MovePicker.tsx'
import { arrowMove, placeAt } from './moves.ts'
import { DOCUMENT_SIGN, type NodeActions, NodeMenu, NodeRow } from './NodeRow.tsx'
import { ancestorsOf, NEW_ROW, type Place, rowsOf, withoutNode } from './tree.ts'

/** The documents of a module. */
export function DocumentTree({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { documentId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(treeQuery(project.id, kind))
  const gone = useDeleted()
  const tree = useMemo(() => data && gone.reduce(withoutNode, data), [data, gone])
  const [open, setOpen] = useRememberedSet(`tree-${project.id}-${kind}`)
  const [closedGroups, setClosedGroups] = useRememberedSet(`groups-${project.id}-${kind}`)
  const [adding, setAdding] = useState<{ groupId: string; parentId: string | null }>()
  const [renaming, setRenaming] = useState<string>()
  const [deleting, setDeleting] = useState<TreeNode>()
  const [moving, setMoving] = useState<{ node: TreeNode; anchor: DOMRect }>()
  const [menu, setMenu] = useState<{ node: TreeNode; anchor: DOMRect }>()
  const [said, say] = useState('')
  const scroller = useRef<HTMLDivElement>(null)
  const mayWrite = useMayWrite()
  const rows = useMemo(
    () => (tree ? rowsOf(tree, { open, closedGroups, adding }) : []),
    [tree, open, closedGroups, adding],
  )
  const nodes = useMemo(() => new Map(tree?.nodes.map((node) => [node.id, node])), [tree])
  const locked = useMemo(() => new Set(tree?.groups.filter((group) => group.locked).map(({ id }) => id)), [tree])

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

  const on = useStable<NodeActions>({
    toggle,
    open: goTo,
    rename: setRenaming,
    add: (node) => setAdding({ groupId: node.group_id, parentId: node.id }),
    renamed: (node, title) => {
      setRenaming(undefined)
      scroller.current?.focus()
      if (title) renameDocument(project.id, kind, node, title)
    },
    menu: (node, beside) => setMenu({ node, anchor: beside.getBoundingClientRect() }),
  })

  if (error && !tree)
    return (
      <div className={css.fault}>
        <LoadFault what="The tree" error={error} onRetry={refetch} />
      </div>
    )
  if (!tree) return <div className={css.tree} aria-busy />

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
  const unfold = (id: string) => {
    setOpen((old) => new Set(old).add(id))
    setClosedGroups((old) => without(old, id))
  }
  const move = (id: string, to: Place | string | undefined) => {
    if (typeof to === 'string') showToast({ text: to })
    if (typeof to !== 'object') return
    unfold(to.groupId)
    if (to.parentId) unfold(to.parentId)
    if (moveDocument(project.id, kind, nodes.get(id)!, to)) say(`${nodes.get(id)!.title} moved`)
  }

  return (
    <>
      <Tree
        label={KINDS[kind].title}
        rows={rows}
        current={documentId}
        shown={adding ? NEW_ROW : documentId}
        mayChange={(row) => mayWrite && !isNew(row)}
        said={said}
        scroller={scroller}
        on={{
          ...on,
          toggle,
          unfold,
          remove: (id) => setDeleting(nodes.get(id)),
          step: (id, arrow) => move(id, arrowMove(tree, nodes.get(id)!, arrow)),
          drop: (id, at) => move(id, placeAt(tree, nodes.get(id)!, at)),
        }}
      >
        {(row, line) =>
          row.type === 'group' ? (
            <TreeGroup {...line} row={row} onToggle={() => toggle(row.id)}>
              <GroupTools
                title={row.title}
                isLocked={row.group.locked}
                mayWrite={mayWrite}
                onAdd={() => setAdding({ groupId: row.id, parentId: null })}
              />
            </TreeGroup>
          ) : row.type === 'new' ? (
            <NameField
              label={`Title of the new ${KINDS[kind].one}`}
              icon={DOCUMENT_SIGN}
              depth={row.depth}
              value=""
              onDone={(title) => (title ? void add(title) : setAdding(undefined))}
            />
          ) : (
            <NodeRow
              {...line}
              href={`/p/${project.id}/${kind}/${row.id}`}
              row={row}
              isLocked={locked.has(row.node.group_id)}
              isRenaming={renaming === row.id}
              mayWrite={mayWrite && !isNew(row)}
              on={on}
            />
          )
        }
      </Tree>
      {menu && (
        <NodeMenu
          isLocked={locked.has(menu.node.group_id)}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
          onPick={(action) => {
            const { node } = menu
            if (action === 'add') on.add(node)
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
          onPick={(to) => move(moving.node.id, to)}
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
    const set = nodes.has(id) ? setOpen : setClosedGroups
    set((old) => (old.has(id) ? without(old, id) : new Set(old).add(id)))
  }
}

const without = (old: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  old.has(id) ? new Set([...old].filter((one) => one !== id)) : old
