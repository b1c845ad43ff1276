import { useMantineColorScheme } from '@mantine/core'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { type Action, type PaletteContext, plainAction } from '../../lib/module.ts'
import { openShortcuts, openUndoList } from '../../lib/overlays.ts'
import { keysOf } from '../../lib/shortcuts.ts'
import { toggleSidebar } from '../../lib/sidebar-state.ts'
import {
  IconArrowBackUp,
  IconDeviceDesktop,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconLink,
  IconMoon,
  IconSun,
} from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { MODULES } from '../find-module.ts'
import css from './Palette.module.css'
import { useParts } from './parts.ts'
import type { Result, Section } from './results.ts'

interface Options {
  words: string
  onlyActions: boolean
  /** What actions were asked for. */
  target: Result['subject']
  activeId: string | undefined
  hasFound: boolean
  onClose(): void
}

const size = { size: 15, stroke: 1.75 }
const ORDER: Action['group'][] = ['create', 'subject', 'search', 'go']
/** What was typed may be the name of a place. Searching for it is the last resort. */
const ORDER_WITH_WORDS: Action['group'][] = ['create', 'subject', 'go', 'search']

/** What the palette can do, narrowed by the words. */
export function useActions({ words, onlyActions, target, activeId, hasFound, onClose }: Options): Section {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const mayWrite = useMayWrite()
  const navigate = useNavigate()
  const parts = useParts()
  const frame = useFrameActions()
  const open = (path: string, search = {}) =>
    void navigate({ to: `/p/$projectId/${path}`, params: { projectId: project.id }, search } as never)
  const at: PaletteContext = {
    projectId: project.id,
    userId: session.user.id,
    mayWrite,
    words,
    onlyActions,
    target: target?.id,
    activeId,
    open,
  }
  const asked = target ? MODULES.filter(({ id }) => id === target.moduleId) : MODULES
  const ofModules = asked.flatMap(({ id }) => parts.get(id)?.actions(at) ?? [])
  const places = MODULES.flatMap(({ path, title, goKey, icon: Sign }) =>
    goKey ? [plainAction('go', `Go to ${title}`, <Sign {...size} />, () => open(path), `g ${goKey}`)] : [],
  )
  const all = target ? ofModules : [...ofModules, ...places, ...frame]
  const shown = all.filter(
    (action) =>
      ((action.isAlways && !onlyActions) || fits(action, words)) &&
      // With words, only what they found can be meant.
      (action.group !== 'subject' || target || onlyActions || !words || hasFound),
  )
  const order = words && !onlyActions ? ORDER_WITH_WORDS : ORDER
  return toSection(
    order.flatMap((group) => shown.filter((action) => action.group === group)),
    onClose,
  )
}

function useFrameActions(): Action[] {
  const { setColorScheme } = useMantineColorScheme()
  const copyLink = () => void copyText(location.href, 'Link copied')
  const fold = <IconLayoutSidebarLeftCollapse {...size} />
  return [
    plainAction('go', 'Undo one of your last changes…', <IconArrowBackUp {...size} />, openUndoList),
    plainAction('go', 'Copy link to this page', <IconLink {...size} />, copyLink),
    plainAction('go', 'Show or hide the sidebar', fold, toggleSidebar, keysOf('sidebar')),
    plainAction('go', 'Light theme', <IconSun {...size} />, () => setColorScheme('light')),
    plainAction('go', 'Dark theme', <IconMoon {...size} />, () => setColorScheme('dark')),
    plainAction('go', 'System theme', <IconDeviceDesktop {...size} />, () => setColorScheme('auto')),
    plainAction('go', 'Keyboard shortcuts', <IconKeyboard {...size} />, openShortcuts, keysOf('sheet')),
  ]
}

const fits = (action: Action, words: string) =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => action.words.toLowerCase().includes(word))

function toSection(actions: Action[], onClose: () => void): Section {
  const results = actions.map(
    ({ group, name, quoted, icon, keys, run }): Result => ({
      id: `${group} ${name}`,
      icon,
      text: (
        <span className={css.title}>
          {name}
          {quoted && (
            <>
              {' for '}
              <code>{quoted}</code>
            </>
          )}
        </span>
      ),
      end: keys && <Kbd keys={keys} />,
      run: () => {
        onClose()
        run()
      },
    }),
  )
  return { name: 'Actions', results }
}
