import { Link, useLocation, useParams } from '@tanstack/react-router'
import { openPalette } from '../../lib/overlays.ts'
import { IconDots, IconSearch } from '../../ui/icons.ts'
import { HOME, MODULES, moduleOf } from '../find-module.ts'
import css from './BottomBar.module.css'
import { UserMenu } from './UserMenu.tsx'

/** One place for each name, the home first. */
const PLACES = [...new Set([HOME.bar, ...MODULES.map(({ bar }) => bar)])].flatMap((name) => {
  const modules = MODULES.filter(({ bar }) => bar === name)
  return name === undefined ? [] : [{ name, modules, first: modules[0]! }]
})
/** What has no place in the bar. */
const OTHERS = MODULES.filter((module) => !PLACES.some(({ first }) => first === module))

/** The modules on a narrow screen. */
export function BottomBar() {
  const { projectId } = useParams({ from: '/signed-in/p/$projectId' })
  const open = useLocation({ select: ({ pathname }) => moduleOf(pathname) })
  const place = PLACES.find(({ modules }) => modules.some((one) => one === open))
  return (
    <nav className={css.bar} aria-label="Modules">
      {PLACES.map(({ name, first: { path, icon: Sign } }) => (
        <Link
          key={name}
          to={`/p/$projectId/${path}`}
          params={{ projectId }}
          className={css.item}
          data-active={name === place?.name || undefined}
        >
          <Sign size={22} stroke={1.75} />
          {name}
        </Link>
      ))}
      <button type="button" className={css.item} onClick={openPalette}>
        <IconSearch size={22} stroke={1.75} />
        Search
      </button>
      <UserMenu
        place="top-start"
        modules={OTHERS}
        target={({ toggle }) => (
          <button type="button" className={css.item} data-active={(open && !place) || undefined} onClick={toggle}>
            <IconDots size={22} stroke={1.75} />
            More
          </button>
        )}
      />
    </nav>
  )
}
