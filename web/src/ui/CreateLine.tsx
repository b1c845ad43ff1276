import { cx } from '../lib/cx.ts'
import { Dot } from './Chip.tsx'
import { IconPlus } from './icons.ts'
import css from './Pick.module.css'

export interface Create {
  kind: string
  /** A line that asks for the name of a new one, before anything is typed. */
  invite?: string | undefined
  /** The colors to choose from, and the one that is chosen at first. */
  colors?: { all: readonly string[]; first: string } | undefined
  run(text: string, color: string | undefined): void
}

interface Props {
  id: string
  create: Create
  /** What was typed, or nothing yet. */
  text: string
  color: string | undefined
  onColor(color: string): void
  active: boolean
  onHover(): void
  onPick(): void
}

/** The last line of a list: makes what was typed, or asks for it. */
export function CreateLine({ id, create, text, color, onColor, active, onHover, onPick }: Props) {
  return (
    <div className={css.make}>
      <button
        type="button"
        id={id}
        tabIndex={-1}
        className={cx(css.line, text && css.create, active && css.active)}
        onMouseMove={onHover}
        onClick={onPick}
      >
        <span className={css.icon}>
          <IconPlus size={15} />
        </span>
        {text ? (
          <span className={css.label}>
            Create {create.kind} <strong>{text}</strong>
          </span>
        ) : (
          create.invite
        )}
      </button>
      {text && create.colors && <Colors all={create.colors.all} chosen={color} onChoose={onColor} onEnter={onPick} />}
    </div>
  )
}

interface ColorsProps {
  all: readonly string[]
  chosen: string | undefined
  onChoose(color: string): void
  onEnter(): void
}

const Colors = ({ all, chosen, onChoose, onEnter }: ColorsProps) => (
  <fieldset className={css.colors} aria-label="Colour">
    {all.map((color) => (
      <label key={color} title={color}>
        <input
          type="radio"
          name="color"
          aria-label={color}
          checked={color === chosen}
          onChange={() => onChoose(color)}
          onKeyDown={(event) => event.key === 'Enter' && onEnter()}
        />
        <Dot color={color} />
      </label>
    ))}
  </fieldset>
)
