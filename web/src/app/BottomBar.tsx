import { Link, useParams } from '@tanstack/react-router'
import { IconChecklist, IconDots, IconFileText, IconSearch } from '../ui/icons.ts'
import css from './BottomBar.module.css'
import { openPalette } from './overlays.ts'
import { UserMenu } from './UserMenu.tsx'

/** The modules on a narrow screen. */
export function BottomBar() {
  const { projectId } = useParams({ from: '/signed-in/p/$projectId' })
  return (
    <nav className={css.bar} aria-label="Modules">
      <Link
        to="/p/$projectId/work-orders"
        params={{ projectId }}
        className={css.item}
        activeProps={{ 'data-active': true }}
      >
        <IconChecklist size={22} stroke={1.75} />
        Work
      </Link>
      <Link
        to="/p/$projectId/requirements"
        params={{ projectId }}
        className={css.item}
        activeProps={{ 'data-active': true }}
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
          <button type="button" className={css.item} onClick={toggle}>
            <IconDots size={22} stroke={1.75} />
            More
          </button>
        )}
      />
    </nav>
  )
}
