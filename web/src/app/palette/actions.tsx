import { useMantineColorScheme } from '@mantine/core'
import { useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { openCreate, openShortcuts } from '../../lib/overlays.ts'
import { queryClient } from '../../lib/query-client.ts'
import { keysOf, type ShortcutId } from '../../lib/shortcuts.ts'
import { toggleSidebar } from '../../lib/sidebar-state.ts'
import { useStore } from '../../lib/store.ts'
import {
  IconCopy,
  IconDeviceDesktop,
  IconFlag,
  IconHammer,
  IconKey,
  IconKeyboard,
  IconLayoutKanban,
  IconLayoutSidebarLeftCollapse,
  IconLink,
  IconList,
  IconMoon,
  IconPlus,
  IconRegex,
  IconRobot,
  IconSearch,
  IconSun,
  IconTag,
  IconTimeline,
  IconUser,
  IconUserCircle,
  IconUsers,
} from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { rowsQuery } from '../../work-orders/api.ts'
import { copyForAgent } from '../../work-orders/copy-for-agent.ts'
import { openPicker } from '../../work-orders/picker.tsx'
import type { Property } from '../../work-orders/properties.tsx'
import { selection } from '../../work-orders/selection.ts'
import { codeOf, type WorkOrderRow } from '../../work-orders/work-order.ts'
import css from './Palette.module.css'
import type { Result, Section } from './Palette.tsx'

interface Action {
  name: ReactNode
  /** What the words are compared with. */
  words: string
  icon: ReactNode
  keys?: string
  run(): void
}

const size = { size: 15, stroke: 1.75 }
const PROPERTIES: { property: Property; name: string; icon: ReactNode }[] = [
  { property: 'status', name: 'status', icon: <StatusRing status="in_review" /> },
  { property: 'priority', name: 'priority', icon: <PriorityBars priority="high" /> },
  { property: 'assignee', name: 'assignee', icon: <IconUser {...size} /> },
  { property: 'phase', name: 'phase', icon: <IconFlag {...size} /> },
  { property: 'label', name: 'labels', icon: <IconTag {...size} /> },
  { property: 'type', name: 'type', icon: <IconHammer {...size} /> },
]

interface Options {
  words: string
  onlyActions: boolean
  /** The work order whose actions were asked for. */
  target: string | undefined
  /** The one that is highlighted. */
  activeId: string | undefined
  hasFound: boolean
  onClose(): void
}

/** What the palette can do, narrowed by the words. */
export function useActions({ words, onlyActions, target, activeId, hasFound, onClose }: Options): Section {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { number } = useParams({ strict: false })
  const mayWrite = useMayWrite()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const chosen = useStore(selection)
  return useMemo(() => {
    const rows = queryClient.getQueryData(rowsQuery(project.id).queryKey) ?? []
    const rowOf = (id: string | undefined) => rows.find((row) => row.id === id)
    const opened = rows.find((row) => String(row.work_order_number) === number)
    const targets = target
      ? rows.filter(({ id }) => id === target)
      : chosen.size > 0
        ? rows.filter(({ id }) => chosen.has(id))
        : opened
          ? [opened]
          : []
    const list = (search: object) => () =>
      void navigate({ to: '/p/$projectId/work-orders', params: { projectId: project.id }, search })
    const settings = (page: 'members' | 'keys' | 'account') => () =>
      void navigate({ to: `/p/$projectId/settings/${page}`, params: { projectId: project.id } })
    const plain = (name: string, icon: ReactNode, run: () => void, id?: ShortcutId): Action => ({
      name,
      words: name,
      icon,
      run,
      ...(id ? { keys: keysOf(id) } : {}),
    })
    const linkOf = (row: WorkOrderRow) => `${location.origin}/p/${project.id}/work-orders/${row.work_order_number}`
    const copying = (row: WorkOrderRow): Action[] => [
      plain(
        `Copy ${codeOf(row)} for agent`,
        <IconCopy {...size} />,
        () => void copyForAgent(project.id, [row]),
        'copy',
      ),
      plain(`Copy link to ${codeOf(row)}`, <IconLink {...size} />, () => void copyText(linkOf(row), 'Link copied')),
    ]
    // The list of values belongs to the pages of work orders.
    const isHere = location.pathname.includes('/work-orders')
    const of = targets.length === 1 && chosen.size === 0 ? codeOf(targets[0]!) : `${targets.length} selected`
    const changing = PROPERTIES.map(({ property, name, icon }) =>
      plain(`Set ${name} of ${of}…`, icon, () => pick(property, targets), property),
    )
    const ofTargets =
      targets.length === 0 || !isHere || !mayWrite
        ? []
        : words && !target && !onlyActions
          ? [...changing.slice(0, 2), ...changing.slice(2).filter((one) => fits(one, words))]
          : changing.filter((one) => fits(one, words))
    if (target) return toSection([...ofTargets, ...targets.flatMap(copying).filter((one) => fits(one, words))], onClose)

    const title = onlyActions ? '' : words
    const creating: Action = {
      name: title ? `Create work order “${title}”` : 'Create work order',
      words: title || 'create work order',
      icon: <IconPlus {...size} />,
      keys: keysOf('create'),
      run: () => openCreate(title ? { title } : {}),
    }
    const create = mayWrite ? [creating] : []
    const search: Action = {
      name: (
        <>
          Search work orders for <code>{words}</code>
        </>
      ),
      words,
      icon: <IconSearch {...size} />,
      keys: keysOf('search'),
      run: list({ title: words }),
    }
    const searchText = (kind: 'requirements' | 'blueprints'): Action => ({
      name:
        words && !onlyActions ? (
          <>
            Search text in {kind} for <code>{words}</code>
          </>
        ) : (
          `Search text in ${kind}`
        ),
      words: onlyActions || !words ? `Search text in ${kind}` : words,
      icon: <IconRegex {...size} />,
      run: () =>
        void navigate({
          to: `/p/$projectId/${kind}/search`,
          params: { projectId: project.id },
          search: words && !onlyActions ? { q: words } : {},
        }),
    })
    const searches = [searchText('requirements'), searchText('blueprints')]
    const others = [
      plain('Work orders as a table', <IconList {...size} />, list({}), 'go-work-orders'),
      plain('Work orders as a board', <IconLayoutKanban {...size} />, list({ view: 'board' })),
      plain('Work orders by phase', <IconTimeline {...size} />, list({ view: 'phases' })),
      plain('Assigned to me', <IconUser {...size} />, list({ assignee: session.user.id })),
      plain('Claimed by agents', <IconRobot {...size} />, list({ claim: 'agents' })),
      plain('Copy link to this page', <IconLink {...size} />, () => void copyText(location.href, 'Link copied')),
      plain('Show or hide the sidebar', <IconLayoutSidebarLeftCollapse {...size} />, toggleSidebar, 'sidebar'),
      plain('Members', <IconUsers {...size} />, settings('members')),
      plain('API keys', <IconKey {...size} />, settings('keys')),
      plain('Account', <IconUserCircle {...size} />, settings('account')),
      plain('Light theme', <IconSun {...size} />, () => setColorScheme('light')),
      plain('Dark theme', <IconMoon {...size} />, () => setColorScheme('dark')),
      plain('System theme', <IconDeviceDesktop {...size} />, () => setColorScheme('auto')),
      plain('Keyboard shortcuts', <IconKeyboard {...size} />, openShortcuts, 'sheet'),
    ].filter((one) => fits(one, words))
    const active = rowOf(activeId) ?? (words ? undefined : opened)
    const copies = active && (words || opened) ? copying(active).slice(0, 1) : []
    if (onlyActions)
      return toSection(
        [...create, ...ofTargets, ...searches, ...others].filter((one) => fits(one, words)),
        onClose,
      )
    if (!words) return toSection([...create, ...ofTargets, ...copies, ...searches, ...others], onClose)
    return toSection(
      [...create, ...(hasFound ? [...ofTargets, ...copies] : []), ...others, search, ...searches],
      onClose,
    )
  }, [
    words,
    onlyActions,
    target,
    activeId,
    hasFound,
    onClose,
    chosen,
    navigate,
    number,
    project.id,
    mayWrite,
    session.user.id,
    setColorScheme,
  ])
}

/** Opens the list of values beside the rows, or in the middle of the page. */
function pick(property: Property, rows: WorkOrderRow[]): void {
  const line = document.querySelector(`[data-row="${rows[0]?.id}"]`)
  const beside = line?.querySelector('[data-cell="status"]') ?? line ?? document.querySelector('[role="toolbar"]')
  openPicker(property, rows, beside ?? document.querySelector('aside[aria-label="Properties"] button') ?? document.body)
}

const fits = (action: Action, words: string) =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => action.words.toLowerCase().includes(word))

function toSection(actions: Action[], onClose: () => void): Section {
  const results = actions.map(
    ({ name, words, icon, keys, run }, index): Result => ({
      id: `action ${index} ${words}`,
      icon,
      text: <span className={css.title}>{name}</span>,
      end: keys && <Kbd keys={keys} />,
      run: () => {
        onClose()
        run()
      },
    }),
  )
  return { name: 'Actions', results }
}
