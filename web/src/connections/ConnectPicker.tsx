import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Pick } from '../ui/Pick.tsx'
import { rowsQuery } from '../work-orders/api.ts'
import { codeOf } from '../work-orders/work-order.ts'
import { type Connectable, connectableQuery, KINDS, type Kind } from './connectable.tsx'

interface Props {
  projectId: string
  /** What connections are made for. It cannot be connected to itself. */
  id: string
  /** The kinds that it can be connected to. */
  kinds: Kind[]
  connected: string[]
  onPick(one: Connectable): void
}

const MAX_WORK_ORDERS = 50

/** Everything that can be connected, found by its title. What is connected is ticked. */
export function ConnectPicker({ projectId, id, kinds, connected, onPick }: Props) {
  const [text, setText] = useState('')
  const found = useQuery(connectableQuery(projectId, text.trim())).data
  const rows = useQuery(rowsQuery(projectId)).data
  const all = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    const workOrders = (rows ?? [])
      .map(
        (row): Connectable => ({
          resourceType: 'work_order',
          resourceId: row.id,
          title: `${codeOf(row)} ${row.title}`,
        }),
      )
      .filter(({ title }) => title.toLowerCase().includes(wanted))
      .slice(0, MAX_WORK_ORDERS)
    const others = [...(found ?? []), ...workOrders].filter(({ resourceId }) => resourceId !== id)
    return kinds.flatMap((kind) => others.filter(({ resourceType }) => resourceType === kind))
  }, [found, rows, text, id, kinds])
  const words = kinds.map((kind) => KINDS[kind][0].toLowerCase())
  return (
    <Pick
      placeholder={`Connect a ${words.slice(0, 3).join(', ')}…`}
      onText={setText}
      selected={connected}
      options={all.map(({ resourceType, resourceId, title }) => {
        const [kind, Sign] = KINDS[resourceType]
        return { value: resourceId, label: title, icon: <Sign size={16} stroke={1.75} aria-label={kind} /> }
      })}
      onPick={(value) => {
        const one = all.find(({ resourceId }) => resourceId === value)
        if (one) onPick(one)
      }}
    />
  )
}
