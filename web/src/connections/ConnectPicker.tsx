import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { KINDS } from '../lib/kinds.ts'
import { Pick } from '../ui/Pick.tsx'
import type { Connection } from './api.ts'
import { type Connectable, connectableQuery } from './connectable.ts'

interface Props {
  projectId: string
  /** What connections are made for. It cannot be connected to itself. */
  id: string
  /** The kinds that it can be connected to. */
  kinds: Connection['resource_type'][]
  connected: string[]
  onPick(one: Connectable): void
}

/** Everything that can be connected, found by its title. What is connected is ticked. */
export function ConnectPicker({ projectId, id, kinds, connected, onPick }: Props) {
  const [text, setText] = useState('')
  const found = useQuery(connectableQuery(projectId, text.trim())).data
  const all = useMemo(() => {
    const others = (found ?? []).filter(({ resourceId }) => resourceId !== id)
    return kinds.flatMap((kind) => others.filter(({ resourceType }) => resourceType === kind))
  }, [found, id, kinds])
  const words = kinds.map((kind) => KINDS[kind].name.toLowerCase())
  return (
    <Pick
      placeholder={`Connect a ${words.slice(0, 3).join(', ')}…`}
      onText={setText}
      selected={connected}
      options={all.map(({ resourceType, resourceId, title }) => {
        const { name, icon: Sign } = KINDS[resourceType]
        return { value: resourceId, label: title, icon: <Sign size={16} stroke={1.75} aria-label={name} /> }
      })}
      onPick={(value) => {
        const one = all.find(({ resourceId }) => resourceId === value)
        if (one) onPick(one)
      }}
    />
  )
}
