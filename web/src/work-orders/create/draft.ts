import { useState } from 'react'
import type { Connectable } from '../../connections/connectable.ts'
import { rememberDraft, rememberedDraft } from '../../lib/own-storage.ts'
import type { WorkOrderRow } from '../work-order.ts'
import type { CreatePreset } from './open-create.ts'

export type Values = Pick<WorkOrderRow, 'status' | 'priority' | 'type' | 'phase' | 'assignee' | 'labels'>

/** A work order that is being written. This device keeps it until it is created. */
export interface Draft extends Values {
  title: string
  text: string
  connected: Connectable[]
}

const EMPTY: Draft = {
  title: '',
  text: '',
  connected: [],
  status: 'ready',
  priority: 'no_priority',
  type: 'none',
  phase: null,
  assignee: null,
  labels: [],
}

const nameOf = (projectId: string) => `new-work-order-${projectId}`

function readDraft(projectId: string): Partial<Draft> {
  try {
    return JSON.parse(rememberedDraft(nameOf(projectId)) ?? '{}')
  } catch {
    return {}
  }
}

/** Without a text, the values are quickly chosen again, and would surprise in the next one. */
export const isWorthKeeping = ({ title, text }: Draft) => title !== '' || text !== ''

export function useDraft(projectId: string, preset: CreatePreset) {
  const [draft, setDraft] = useState<Draft>(() => ({
    ...EMPTY,
    ...(preset.title ? { title: preset.title } : readDraft(projectId)),
    ...preset.values,
  }))
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    rememberDraft(nameOf(projectId), isWorthKeeping(next) ? JSON.stringify(next) : undefined)
  }
  /** The next one starts without a text, and with the same values and connections. */
  const startNext = () => setDraft({ ...draft, title: '', text: '' })
  const forget = () => rememberDraft(nameOf(projectId), undefined)
  return { draft, change, startNext, forget }
}

export const fieldsOf = ({ title, text, connected, labels, phase, assignee, ...values }: Draft) => ({
  ...values,
  title: title.trim(),
  ...(text.trim() ? { markdown_content: text } : {}),
  ...(phase ? { phase_id: phase.id } : {}),
  ...(assignee ? { assignee_id: assignee.id } : {}),
  ...(labels.length > 0 ? { label_ids: labels.map(({ id }) => id) } : {}),
  ...(connected.length > 0
    ? { connectedContext: connected.map(({ resourceType, resourceId }) => ({ resourceType, resourceId })) }
    : {}),
})
