import { useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { hasWidth, PHONE, WITH_BESIDE } from '../../lib/breakpoints.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import {
  IconCopy,
  IconExternalLink,
  IconFlag,
  IconLayoutSidebarRight,
  IconLink,
  IconSquareCheck,
  IconTag,
  IconTrash,
  IconUser,
} from '../../ui/icons.ts'
import { AnchoredMenu, type MenuLine } from '../../ui/Menu.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { copyForAgent } from '../copy-for-agent.ts'
import { useOpenWorkOrder } from '../open-work-order.tsx'
import { PropertyValues } from '../picker.tsx'
import { PROPERTY_NAMES, type Property } from '../properties.tsx'
import { toggleSelected } from '../selection.ts'
import { keysOf } from '../shortcuts.ts'
import { codeOf, type WorkOrderRow } from '../work-order.ts'
import { askToDelete, copyLinks } from './row-actions.ts'

interface Props {
  rows: WorkOrderRow[]
  anchor: DOMRect
  /** Whether the list shows what is selected. */
  selectable: boolean
  onClose(): void
}

/** What a right click offers, and the button of a narrow row. With several rows selected it acts on all of them. */
export function RowMenu({ rows, anchor, selectable, onClose }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const mayWrite = useMayWrite()
  const open = useOpenWorkOrder(project.id)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const first = rows[0]!
  const size = { size: 16, stroke: 1.75 }
  const pick = (value: string) => {
    if (value === 'open') open(first.work_order_number, { asPage: true })
    else if (value === 'beside') open(first.work_order_number)
    else if (value === 'select') toggleSelected(first.id)
    else if (value === 'copy') void copyForAgent(project.id, rows)
    else if (value === 'link') copyLinks(project.id, rows)
    else void askToDelete(project.id, rows)
  }
  const property = (name: Property, icon: ReactNode, divided = false): MenuLine => ({
    value: name,
    label: PROPERTY_NAMES[name],
    icon,
    divided,
    keys: keysOf(name),
    values: () => <PropertyValues inMenu property={name} ids={ids} onClose={onClose} />,
  })
  const isOne = rows.length === 1
  const isNarrow = hasWidth(PHONE)
  const selecting: MenuLine = { value: 'select', label: 'Select', icon: <IconSquareCheck {...size} /> }
  const opening: MenuLine[] = [
    { value: 'open', label: 'Open', icon: <IconExternalLink {...size} />, keys: keysOf('open') },
    {
      value: 'beside',
      label: 'Open beside',
      icon: <IconLayoutSidebarRight {...size} />,
      keys: keysOf('open-beside'),
    },
  ]
  const properties = [
    property('status', <StatusRing status={first.status} />, isOne),
    property('priority', <PriorityBars priority={first.priority} />),
    property('assignee', <IconUser {...size} />),
    property('label', <IconTag {...size} />),
    property('phase', <IconFlag {...size} />),
  ]
  const deleting: MenuLine = {
    value: 'delete',
    label: 'Delete…',
    icon: <IconTrash {...size} />,
    divided: true,
    danger: true,
    keys: keysOf('delete'),
  }
  return (
    <AnchoredMenu
      label={isOne ? codeOf(first) : `${rows.length} work orders`}
      anchor={anchor}
      onClose={onClose}
      onPick={pick}
      options={[
        ...(isOne ? opening.slice(0, hasWidth(WITH_BESIDE) ? 2 : 1) : []),
        // Wide rows have a box for it.
        ...(isOne && isNarrow && selectable ? [selecting] : []),
        ...(mayWrite ? properties : []),
        {
          value: 'copy',
          label: 'Copy for agent',
          icon: <IconCopy {...size} />,
          divided: true,
          keys: keysOf('copy'),
        },
        {
          value: 'link',
          label: isOne ? 'Copy link' : 'Copy links',
          icon: <IconLink {...size} />,
          keys: keysOf('link'),
        },
        ...(mayWrite ? [deleting] : []),
      ]}
    />
  )
}
