import type { ThemeMark } from '@slipway/sdk'
import { openPicker } from '../../ui/open-picker.tsx'
import { Pick } from '../../ui/Pick.tsx'
import { type ThemeRow, useFoundThemes } from '../themes/api.ts'
import { StatusSign } from '../themes/signs.tsx'
import { OPEN } from '../themes/theme.ts'

interface Asked {
  projectId: string
  beside: Element
  onPick(theme: ThemeMark): void
  /** Offers to open a theme with the name that was typed. */
  onNew(title: string): void
}

/** Opens a list of themes beside an element, the open ones first. */
export const pickTheme = ({ beside, ...asked }: Asked) =>
  openPicker(beside, 'Theme', (close) => <ThemeList {...asked} onClose={close} />)

const toMark = ({ id, display_id, title, status }: ThemeRow): ThemeMark => ({
  id,
  display_id,
  number: Number(display_id.slice(3)),
  title,
  status,
})

function ThemeList({ projectId, onPick, onNew, onClose }: Omit<Asked, 'beside'> & { onClose(): void }) {
  const { rows: themes, setText } = useFoundThemes(projectId)
  if (!themes) return null
  const sorted = themes.toSorted((a, b) => Number(OPEN.includes(b.status)) - Number(OPEN.includes(a.status)))
  return (
    <Pick
      placeholder="Search themes, or name a new one"
      onText={setText}
      options={sorted.map((theme) => ({
        value: theme.id,
        label: `${theme.display_id} ${theme.title}`,
        icon: <StatusSign status={theme.status} size={15} />,
        count: theme.quote_count,
      }))}
      selected={[]}
      create={{
        kind: 'theme',
        run: (title) => {
          onClose()
          onNew(title)
        },
      }}
      onPick={(id) => {
        onClose()
        onPick(toMark(themes.find((one) => one.id === id)!))
      }}
    />
  )
}
