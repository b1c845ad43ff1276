import { useMemo, useState } from 'react'
import { IconFileText, IconFolders } from '../../ui/icons.ts'
import { Pick } from '../../ui/Pick.tsx'
import { AnchoredPopUp } from '../../ui/PopUp.tsx'
import type { Tree, TreeNode } from '../api.ts'
import type { Kind } from '../kind.ts'
import { placeAt } from './moves.ts'
import { idsWithin, type Place, type Row, rowsOf } from './tree.ts'

interface Props {
  kind: Kind
  tree: Tree
  node: TreeNode
  anchor: DOMRect
  onClose(): void
  onPick(to: Place): void
}

const MAX_SHOWN = 100

/** The groups and documents that a document can go to, for those who do not drag. */
export function MovePicker({ kind, tree, node, anchor, onClose, onPick }: Props) {
  const [text, setText] = useState('')
  const rows = useMemo(() => {
    const own = idsWithin(tree, node.id)
    const open = new Set(tree.nodes.map(({ id }) => id))
    const locked = new Set(tree.groups.filter((group) => group.locked).map(({ id }) => id))
    return rowsOf(tree, { open, closedGroups: new Set(), adding: undefined }).filter((row) => {
      if (row.type === 'new' || own?.has(row.id)) return false
      const group = row.type === 'group' ? row.id : row.node.group_id
      return !locked.has(group) && (kind === 'blueprints' || group === node.group_id)
    })
  }, [kind, tree, node])
  const wanted = text.trim().toLowerCase()
  const shown = rows.filter((row) => nameOf(row).toLowerCase().includes(wanted)).slice(0, MAX_SHOWN)
  return (
    <AnchoredPopUp label="Move to" anchor={anchor} onClose={onClose}>
      <Pick
        placeholder={`Move “${node.title}” to…`}
        onText={setText}
        selected={[node.parent_id ?? node.group_id]}
        options={shown.map((row) => ({
          value: row.id,
          label: nameOf(row),
          icon:
            row.type === 'group' ? <IconFolders size={15} stroke={1.75} /> : <IconFileText size={15} stroke={1.75} />,
          divided: row.type === 'group' && row !== shown[0],
        }))}
        onPick={(id) => {
          onClose()
          const to = placeAt(tree, node, { id, where: 'inside' })
          if (to) onPick(to)
        }}
      />
    </AnchoredPopUp>
  )
}

const nameOf = (row: Row) => (row.type === 'group' ? row.title : row.type === 'node' ? `Below ${row.title}` : '')
