import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useRouteContext } from '@tanstack/react-router'
import { type Counts, countsQuery } from '../../lib/counts.ts'
import { formatCount } from '../../lib/numbers.ts'
import { openPalette } from '../../lib/overlays.ts'
import { isSidebarHidden } from '../../lib/sidebar-state.ts'
import { useStore } from '../../lib/store.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { IconSearch, IconSelector } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { ProjectMark, ProjectSwitcher } from '../../ui/ProjectSwitcher.tsx'
import { HOME, MODULES, moduleOf } from '../find-module.ts'
import { useLoadedModules } from '../loaded-modules.ts'
import css from './Sidebar.module.css'
import { UserMenu } from './UserMenu.tsx'

export function Sidebar() {
  const hidden = useStore(isSidebarHidden)
  return (
    <aside className={css.sidebar} aria-label="Sidebar" hidden={hidden}>
      <SidebarParts />
    </aside>
  )
}

/** All places of the project. A narrow screen shows them in a sheet. */
export function SidebarParts() {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const open = useLocation({ select: ({ pathname }) => moduleOf(pathname) })
  const loaded = useLoadedModules()
  // A module without lists leaves the place to those of the home.
  const Lists = (open && loaded.get(open.id)?.Sidebar) ?? loaded.get(HOME.id)?.Sidebar
  const isKnown = open === undefined || loaded.has(open.id)
  const me = { id: session.user.id, name: session.user.display_name, email: session.user.email }
  return (
    <>
      <ProjectSwitcher
        target={({ toggle, open }) => (
          <button type="button" className={css.project} aria-expanded={open} onClick={toggle}>
            <ProjectMark name={project.name} />
            <span className={css.projectName}>{project.name}</span>
            <IconSelector size={16} stroke={1.75} />
          </button>
        )}
      />
      <button type="button" className={css.search} onClick={openPalette}>
        <IconSearch size={16} stroke={1.75} />
        <span className={css.grow}>Search</span>
        <Kbd keys="mod+k" joined />
      </button>
      <nav className={css.nav} aria-label="Modules">
        {MODULES.filter(({ isLast }) => !isLast).map((module) => (
          <ModuleLink key={module.id} module={module} projectId={project.id} />
        ))}
      </nav>
      <div className={css.lists}>{isKnown && Lists && <Lists />}</div>
      {MODULES.filter(({ isLast }) => isLast).map((module) => (
        <ModuleLink key={module.id} module={module} projectId={project.id} />
      ))}
      <UserMenu
        target={({ toggle, open }) => (
          <button type="button" className={css.module} aria-expanded={open} onClick={toggle}>
            <Avatar person={me} size={20} />
            <span className={css.grow}>{me.name}</span>
          </button>
        )}
      />
    </>
  )
}

function ModuleLink({ module, projectId }: { module: (typeof MODULES)[number]; projectId: string }) {
  const { path, title, icon: Sign, isLast } = module
  return (
    <Link
      to={`/p/$projectId/${path}`}
      params={{ projectId }}
      className={css.module}
      activeProps={{ 'data-active': true }}
      {...(isLast && { preload: false })}
    >
      <Sign size={17} stroke={1.75} />
      <span className={css.grow}>{title}</span>
      {module.count && <Total of={module.count} projectId={projectId} />}
    </Link>
  )
}

function Total({ of, projectId }: { of: keyof Counts; projectId: string }) {
  const total = useQuery({ ...countsQuery(projectId), select: (counts) => counts[of] }).data
  return total === undefined ? null : <span className={css.count}>{formatCount(total)}</span>
}
