import { useMantineColorScheme } from '@mantine/core'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { queryClient } from '../../lib/query-client.ts'
import { useStore } from '../../lib/store.ts'
import {
  IconDeviceDesktop,
  IconKey,
  IconKeyboard,
  IconLayoutKanban,
  IconList,
  IconMoon,
  IconPlus,
  IconSun,
  IconTimeline,
  IconUser,
  IconUserCircle,
  IconUsers,
} from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { rowsQuery } from '../../work-orders/api.ts'
import { openPicker } from '../../work-orders/picker.tsx'
import type { Property } from '../../work-orders/properties.tsx'
import { selection } from '../../work-orders/selection.ts'
import { openCreate, openShortcuts } from '../overlays.ts'
import css from './Palette.module.css'
import type { Result, Section } from './Palette.tsx'

interface Action {
  name: string
  icon: ReactNode
  keys?: string
  run(): void
}

/** What the palette can do, narrowed by the words. With words, creating something of that name comes first. */
export function useActions(words: string, onlyActions: boolean, onClose: () => void): Section {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const chosen = useStore(selection)
  return useMemo(() => {
    const size = { size: 15, stroke: 1.75 }
    const to = (search: object) => () =>
      void navigate({ to: '/p/$projectId/work-orders', params: { projectId: project.id }, search })
    const open = (page: 'members' | 'keys' | 'account') => () =>
      void navigate({ to: `/p/$projectId/settings/${page}`, params: { projectId: project.id } })
    const pick = (property: Property) => () => {
      const rows = (queryClient.getQueryData(rowsQuery(project.id).queryKey) ?? []).filter(({ id }) => chosen.has(id))
      openPicker(property, rows, document.querySelector('[role="toolbar"]') ?? document.body)
    }
    const title = onlyActions ? '' : words
    const create: Action = {
      name: title ? `Create work order “${title}”` : 'Create work order',
      icon: <IconPlus {...size} />,
      keys: 'c',
      run: () => openCreate(title ? { title } : {}),
    }
    const several = `of ${chosen.size} selected…`
    const ofSelected: Action[] =
      chosen.size === 0
        ? []
        : [
            { name: `Set status ${several}`, icon: <StatusRing status="in_review" />, keys: 's', run: pick('status') },
            {
              name: `Set priority ${several}`,
              icon: <PriorityBars priority="high" />,
              keys: 'p',
              run: pick('priority'),
            },
          ]
    const others: Action[] = [
      { name: 'Work orders as a table', icon: <IconList {...size} />, keys: 'g w', run: to({}) },
      { name: 'Work orders as a board', icon: <IconLayoutKanban {...size} />, run: to({ view: 'board' }) },
      { name: 'Work orders by phase', icon: <IconTimeline {...size} />, run: to({ view: 'phases' }) },
      { name: 'Assigned to me', icon: <IconUser {...size} />, run: to({ assignee: session.user.id }) },
      { name: 'Members', icon: <IconUsers {...size} />, run: open('members') },
      { name: 'API keys', icon: <IconKey {...size} />, run: open('keys') },
      { name: 'Account', icon: <IconUserCircle {...size} />, run: open('account') },
      { name: 'Light theme', icon: <IconSun {...size} />, run: () => setColorScheme('light') },
      { name: 'Dark theme', icon: <IconMoon {...size} />, run: () => setColorScheme('dark') },
      { name: 'System theme', icon: <IconDeviceDesktop {...size} />, run: () => setColorScheme('auto') },
      { name: 'Keyboard shortcuts', icon: <IconKeyboard {...size} />, keys: '?', run: openShortcuts },
    ]
    const wanted = words.toLowerCase()
    const narrowed = others.filter(({ name }) => wanted === '' || name.toLowerCase().includes(wanted))
    const results = [create, ...ofSelected, ...narrowed].map(
      ({ name, icon, keys, run }): Result => ({
        id: name,
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
  }, [words, onlyActions, onClose, chosen, navigate, project.id, session.user.id, setColorScheme])
}
