import { IconButton } from './Button.tsx'
import { IconDots } from './icons.ts'
import { type Option, Pick } from './Pick.tsx'
import { PopUp } from './PopUp.tsx'

interface Props {
  /** What the button is called: "More for CI pipeline". */
  label: string
  options: Option[]
  onPick(value: string): void
  small?: boolean
  className?: string | undefined
}

/** Three dots with what else can be done. */
export function MoreMenu({ label, options, onPick, small = false, className }: Props) {
  return (
    <PopUp
      place="bottom-end"
      target={({ open, toggle }) => (
        <IconButton label={label} small={small} className={className} aria-expanded={open} onClick={toggle}>
          <IconDots size={small ? 16 : 17} stroke={1.75} />
        </IconButton>
      )}
    >
      {(close) => (
        <Pick
          selected={[]}
          options={options}
          onPick={(value) => {
            close()
            onPick(value)
          }}
        />
      )}
    </PopUp>
  )
}
