import type { Found } from '@slipway/sdk'
import type { ReactNode } from 'react'
import { copyText } from '../lib/copy-text.ts'
import { type Action, type PaletteContext, type PalettePart, plainAction } from '../lib/module.ts'
import { queryClient } from '../lib/query-client.ts'
import { Avatar } from '../people/Avatar.tsx'
import {
  IconCopy,
  IconFlag,
  IconHammer,
  IconLayoutKanban,
  IconLink,
  IconList,
  IconPlus,
  IconRobot,
  IconSearch,
  IconTag,
  IconTimeline,
  IconUser,
} from '../ui/icons.ts'
import { PriorityBars } from '../ui/PriorityBars.tsx'
import { StatusRing } from '../ui/StatusRing.tsx'
import { rowsQuery } from './api.ts'
import { copyForAgent } from './copy-for-agent.ts'
import { openCreate } from './create/open-create.ts'
import { openProperty } from './picker.tsx'
import type { Property } from './properties.tsx'
import { findByNumber, findRow } from './rows/cache.ts'
import { isPartial } from './rows/load-rows.ts'
import { selection } from './selection.ts'
import { keysOf } from './shortcuts.ts'
import { codeOf, STATUS_NAMES, type Status, type WorkOrderRow } from './work-order.ts'

const size = { size: 15, stroke: 1.75 }
const MAX_FOUND = 6
const PROPERTIES: { property: Property; name: string; icon: ReactNode }[] = [
  { property: 'status', name: 'status', icon: <StatusRing status="in_review" /> },
  { property: 'priority', name: 'priority', icon: <PriorityBars priority="high" /> },
  { property: 'assignee', name: 'assignee', icon: <IconUser {...size} /> },
  { property: 'phase', name: 'phase', icon: <IconFlag {...size} /> },
  { property: 'label', name: 'labels', icon: <IconTag {...size} /> },
  { property: 'type', name: 'type', icon: <IconHammer {...size} /> },
]
/** How many properties are offered whatever the words are. */
const ALWAYS = 2

/** The rows, if they are on this device. The palette does not load them: there can be thousands. */
const knownRows = (projectId: string): WorkOrderRow[] => queryClient.getQueryData(rowsQuery(projectId).queryKey) ?? []

export const palette: PalettePart = {
  actsOn: 'work_order',
  actions: (at) => (at.target ? onTargets(at) : [...creation(at), ...onTargets(at), ...search(at), ...lists(at)]),
  find(projectId, words) {
    const rows = knownRows(projectId)
    return (words === '' ? lastChanged(rows) : byTitle(rows, words)).slice(0, MAX_FOUND).map(toFound)
  },
  look(projectId, id) {
    const row = findRow(projectId, id)
    if (row) return toFound(row)
    return knownRows(projectId).length > 0 && !isPartial(projectId) ? null : undefined
  },
  End,
}

function creation({ mayWrite, onlyActions, words }: PaletteContext): Action[] {
  if (!mayWrite) return []
  const title = onlyActions ? '' : words
  return [
    {
      group: 'create',
      name: title ? `Create work order “${title}”` : 'Create work order',
      words: title || 'create work order',
      icon: <IconPlus {...size} />,
      keys: keysOf('create'),
      run: () => openCreate(title ? { title } : {}),
    },
  ]
}

/** What can be done with the one that was asked for, with those that are selected, or with the one that is open. */
function onTargets({ projectId, target, activeId, words, mayWrite, onlyActions }: PaletteContext): Action[] {
  const rows = knownRows(projectId)
  const chosen = selection.get()
  const number = /\/work-orders\/(\d+)$/.exec(location.pathname)?.[1]
  const opened = findByNumber(projectId, Number(number))
  const targets = target
    ? [findRow(projectId, target)].filter((row) => row !== undefined)
    : chosen.size > 0
      ? rows.filter(({ id }) => chosen.has(id))
      : opened
        ? [opened]
        : []
  const of = targets.length === 1 && chosen.size === 0 ? codeOf(targets[0]!) : `${targets.length} selected`
  // The list of values belongs to the pages of work orders.
  const isHere = location.pathname.includes('/work-orders')
  const changes = PROPERTIES.map(({ property, name, icon }, index) => ({
    ...plainAction('subject', `Set ${name} of ${of}…`, icon, () => pick(property, targets), keysOf(property)),
    isAlways: index < ALWAYS && !target,
  }))
  const offered = targets.length > 0 && isHere && mayWrite ? changes : []
  if (target) return [...offered, ...targets.flatMap((row) => copies(projectId, row))]
  const active = rows.find(({ id }) => id === activeId) ?? (words ? undefined : opened)
  const isCopied = active && !onlyActions && (words || opened)
  return isCopied ? [...offered, { ...copies(projectId, active)[0]!, isAlways: true }] : offered
}

const copies = (projectId: string, row: WorkOrderRow): [Action, Action] => {
  const link = `${location.origin}/p/${projectId}/work-orders/${row.work_order_number}`
  const forAgent = () => void copyForAgent(projectId, [row])
  return [
    plainAction('subject', `Copy ${codeOf(row)} for agent`, <IconCopy {...size} />, forAgent, keysOf('copy')),
    plainAction(
      'subject',
      `Copy link to ${codeOf(row)}`,
      <IconLink {...size} />,
      () => void copyText(link, 'Link copied'),
    ),
  ]
}

/** Opens the list of values beside the rows, or in the middle of the page. */
function pick(property: Property, rows: WorkOrderRow[]): void {
  const line = document.querySelector(`[data-row="${rows[0]?.id}"]`)
  const beside = line?.querySelector('[data-cell="status"]') ?? line ?? document.querySelector('[role="toolbar"]')
  openProperty(
    property,
    rows,
    beside ?? document.querySelector('aside[aria-label="Properties"] button') ?? document.body,
  )
}

function search({ words, onlyActions, open }: PaletteContext): Action[] {
  if (!words || onlyActions) return []
  return [
    {
      group: 'search',
      name: 'Search work orders',
      quoted: words,
      words,
      icon: <IconSearch {...size} />,
      keys: keysOf('search'),
      run: () => open('work-orders', { title: words }),
    },
  ]
}

function lists({ userId, open }: PaletteContext): Action[] {
  const list = (search: Record<string, string>) => () => open('work-orders', search)
  return [
    plainAction('go', 'Work orders as a table', <IconList {...size} />, list({})),
    plainAction('go', 'Work orders as a board', <IconLayoutKanban {...size} />, list({ view: 'board' })),
    plainAction('go', 'Work orders by phase', <IconTimeline {...size} />, list({ view: 'phases' })),
    plainAction('go', 'Assigned to me', <IconUser {...size} />, list({ assignee: userId })),
    plainAction('go', 'Claimed by agents', <IconRobot {...size} />, list({ claim: 'agents' })),
  ]
}

const toFound = (row: WorkOrderRow): Found => ({
  kind: 'work_order',
  id: row.id,
  number: row.work_order_number,
  title: row.title,
  status: row.status,
  detail: null,
  snippet: null,
})

const lastChanged = (rows: WorkOrderRow[]) =>
  rows.toSorted(
    (a, b) => (b.updated_at ?? '').localeCompare(a.updated_at ?? '') || b.work_order_number - a.work_order_number,
  )

function byTitle(rows: WorkOrderRow[], words: string): WorkOrderRow[] {
  const number = Number(/^(?:wo-?|#)?(\d+)$/i.exec(words)?.[1])
  const parts = words.toLowerCase().split(/\s+/)
  const exact = rows.filter((row) => row.work_order_number === number)
  const hits = rows.filter(({ title }) => parts.every((part) => title.toLowerCase().includes(part)))
  const starts = ({ title }: WorkOrderRow) => Number(title.toLowerCase().startsWith(parts[0]!))
  const sorted = hits.sort((a, b) => starts(b) - starts(a) || b.work_order_number - a.work_order_number)
  return [...new Set([...exact, ...sorted])]
}

function End({ projectId, found }: { projectId: string; found: Found }) {
  const row = findRow(projectId, found.id)
  const status = (row?.status ?? found.status) as Status | null
  return (
    <>
      {status && (
        <>
          <StatusRing status={status} />
          <span data-words>{STATUS_NAMES[status]}</span>
        </>
      )}
      {row && <Avatar person={row.assignee} />}
    </>
  )
}
