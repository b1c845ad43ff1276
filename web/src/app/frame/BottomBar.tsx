import { Link, useLocation, useParams } from '@tanstack/react-router'
import { openPalette } from '../../lib/overlays.ts'
import { IconChecklist, IconDots, IconFileText, IconSearch } from '../../ui/icons.ts'
import css from './BottomBar.module.css'
import { UserMenu } from './UserMenu.tsx'

/** The modules on a narrow screen. */
export function BottomBar() {
  const { projectId } = useParams({ from: '/signed-in/p/$projectId' })
  const module = useLocation({ select: ({ pathname }) => pathname.split('/')[3] })
  const isIn = (...modules: string[]) => modules.includes(module ?? '') || undefined
  return (
    <nav className={css.bar} aria-label="Modules">
      <Link
        to="/p/$projectId/work-orders"
        params={{ projectId }}
        className={css.item}
        data-active={isIn('work-orders')}
      >
        <IconChecklist size={22} stroke={1.75} />
        Work
      </Link>
      <Link
        to="/p/$projectId/requirements"
        params={{ projectId }}
        className={css.item}
        data-active={isIn('requirements', 'blueprints')}
      >
        <IconFileText size={22} stroke={1.75} />
        Docs
      </Link>
      <button type="button" className={css.item} onClick={openPalette}>
        <IconSearch size={22} stroke={1.75} />
        Search
      </button>
      <UserMenu
        place="top-start"
        target={({ toggle }) => (
          <button type="button" className={css.item} data-active={isIn('settings')} onClick={toggle}>
            <IconDots size={22} stroke={1.75} />
            More
          </button>
        )}
      />
    </nav>
  )
}
