import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import {
  IconFileSpreadsheet,
  IconLayoutSidebarLeftCollapse,
  IconLink,
  IconListCheck,
  IconPlus,
} from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { openCreate } from '../create/open-create.ts'
import { downloadRows } from '../csv.ts'
import { selection } from '../selection.ts'
import { STATUS_NAMES, type Status, type WorkOrderRow } from '../work-order.ts'

interface Props {
  status: Status
  rows: WorkOrderRow[]
  project: { id: string; name: string }
  selected: ReadonlySet<string>
  onFold(): void
}

/** What can be done with a column as a whole. */
export function ColumnMenu({ status, rows, project, selected, onFold }: Props) {
  const name = STATUS_NAMES[status]
  const mayWrite = useMayWrite()
  const size = { size: 16, stroke: 1.75 }
  const allSelected = rows.every(({ id }) => selected.has(id))
  const select = () => {
    const others = [...selected].filter((id) => !rows.some((row) => row.id === id))
    selection.set(new Set(allSelected ? others : [...others, ...rows.map(({ id }) => id)]))
  }
  const pick = (value: string) => {
    if (value === 'create') openCreate({ values: { status } })
    else if (value === 'select') select()
    else if (value === 'links') {
      const links = rows.map((row) => `${location.origin}/p/${project.id}/work-orders/${row.work_order_number}`)
      void copyText(links.join('\n'), links.length === 1 ? 'Link copied' : `${links.length} links copied`)
    } else if (value === 'csv') downloadRows(rows, `${project.name} ${name}`)
    else onFold()
  }
  return (
    <MoreMenu
      small
      label={`More for ${name}`}
      onPick={pick}
      options={[
        ...(mayWrite ? [{ value: 'create', label: 'New work order', icon: <IconPlus {...size} /> }] : []),
        ...(rows.length === 0
          ? []
          : [
              {
                value: 'select',
                label: allSelected ? 'Deselect all' : `Select all ${rows.length}`,
                icon: <IconListCheck {...size} />,
              },
              { value: 'links', label: 'Copy links', icon: <IconLink {...size} />, divided: true },
              { value: 'csv', label: 'Export CSV', icon: <IconFileSpreadsheet {...size} /> },
            ]),
        { value: 'fold', label: 'Collapse', icon: <IconLayoutSidebarLeftCollapse {...size} />, divided: true },
      ]}
    />
  )
}
