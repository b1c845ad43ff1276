import { useLocation } from '@tanstack/react-router'
import css from '../ui/SidebarList.module.css'
import { InboxPlaces } from './inbox/InboxPlaces.tsx'
import { ThemePlaces } from './themes/ThemePlaces.tsx'

/** Below the modules: the lists of themes on the pages of themes, those of the inbox on the others. */
export function Sidebar() {
  const isThemes = useLocation({ select: ({ pathname }) => pathname.includes('/feedback/themes') })
  return <div className={css.lists}>{isThemes ? <ThemePlaces /> : <InboxPlaces />}</div>
}
