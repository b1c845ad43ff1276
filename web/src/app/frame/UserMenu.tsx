import { useMantineColorScheme } from '@mantine/core'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { openShortcuts, openSignOut, openUndoList } from '../../lib/overlays.ts'
import {
  IconArrowBackUp,
  IconBook,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconUserCircle,
} from '../../ui/icons.ts'
import { MenuButton, type MenuLine } from '../../ui/Menu.tsx'
import type { MODULES } from '../find-module.ts'
import { leave } from './sign-out.ts'

interface Props {
  target: (props: { open: boolean; toggle(): void }) => ReactElement
  place?: 'top-start' | 'right-start'
  /** Modules that can be opened from here. */
  modules?: typeof MODULES
}

export function UserMenu({ target, place = 'top-start', modules = [] }: Props) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const params = { projectId: project.id }
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const pick = (value: string) => {
    const module = modules.find(({ id }) => value === `module-${id}`)
    if (module) void navigate({ to: `/p/$projectId/${module.path}`, params })
    else if (value === 'sign-out') void leave(openSignOut)
    else if (value === 'account') void navigate({ to: '/p/$projectId/settings/account', params })
    else if (value === 'settings') void navigate({ to: '/p/$projectId/settings/members', params })
    else if (value === 'undo') openUndoList()
    else if (value === 'shortcuts') openShortcuts()
    else if (value === 'docs') window.open('/docs/web', '_blank', 'noopener')
    else setColorScheme(value as 'light')
  }
  const schemes = [
    { value: 'auto', label: 'System theme', Sign: IconDeviceDesktop, divided: true },
    { value: 'light', label: 'Light theme', Sign: IconSun },
    { value: 'dark', label: 'Dark theme', Sign: IconMoon },
  ].map(
    ({ Sign, ...line }): MenuLine => ({
      ...line,
      icon: <Sign size={17} stroke={1.75} />,
      check: 'radio',
      checked: line.value === colorScheme,
    }),
  )
  return (
    <MenuButton
      target={target}
      place={place}
      label={session.user.display_name}
      heading={session.user.email}
      options={[
        ...modules.map(({ id, title, icon: Sign }) => ({
          value: `module-${id}`,
          label: title,
          icon: <Sign size={17} stroke={1.75} />,
        })),
        {
          value: 'account',
          label: 'Account',
          icon: <IconUserCircle size={17} stroke={1.75} />,
          divided: modules.length > 0,
        },
        { value: 'settings', label: 'Project settings', icon: <IconSettings size={17} stroke={1.75} /> },
        ...schemes,
        { value: 'undo', label: 'Your last changes', icon: <IconArrowBackUp size={17} stroke={1.75} />, divided: true },
        { value: 'shortcuts', label: 'Keyboard shortcuts', icon: <IconKeyboard size={17} stroke={1.75} /> },
        { value: 'docs', label: 'Documentation', icon: <IconBook size={17} stroke={1.75} /> },
        { value: 'sign-out', label: 'Sign out', icon: <IconLogout size={17} stroke={1.75} />, divided: true },
      ]}
      onPick={pick}
    />
  )
}
