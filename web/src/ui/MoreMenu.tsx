import { IconButton } from './Button.tsx'
import { IconDots } from './icons.ts'
import { MenuButton, type MenuLine } from './Menu.tsx'

interface Props {
  /** What the button is called: "More for CI pipeline". */
  label: string
  /** Shown above the lines. */
  heading?: string | undefined
  options: MenuLine[]
  onPick(value: string): void
  small?: boolean
  className?: string | undefined
  place?: 'right-start'
}

/** Three dots with what else can be done. */
export const MoreMenu = ({ label, small = false, className, place, ...list }: Props) => (
  <MenuButton
    {...list}
    label={label}
    place={place ?? 'bottom-end'}
    target={({ toggle }) => (
      <IconButton label={label} small={small} className={className} onClick={toggle}>
        <IconDots size={small ? 16 : 17} stroke={1.75} />
      </IconButton>
    )}
  />
)
