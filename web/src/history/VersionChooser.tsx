import { IconChevronDown } from '../ui/icons.ts'
import { Pick } from '../ui/Pick.tsx'
import { PopUp } from '../ui/PopUp.tsx'
import type { HistoryEntry } from './entry.ts'
import css from './History.module.css'
import { titleOf } from './VersionList.tsx'

interface Props {
  letter: 'A' | 'B'
  versions: HistoryEntry[]
  chosen: HistoryEntry | undefined
  onPick(number: string): void
}

/** Chooses one of the two versions that are compared. */
export function VersionChooser({ letter, versions, chosen, onPick }: Props) {
  return (
    <PopUp
      target={({ toggle, open }) => (
        <button
          type="button"
          className={css.version}
          aria-expanded={open}
          aria-label={`${letter}: ${chosen ? titleOf(chosen) : 'nothing'}`}
          onClick={toggle}
        >
          <b data-b={letter === 'B' || undefined}>{letter}</b>{' '}
          <span className={css.versionName}>{chosen ? titleOf(chosen) : 'Nothing'}</span>
          <IconChevronDown size={14} stroke={1.75} />
        </button>
      )}
    >
      {(close) => (
        <Pick
          placeholder={`Version for ${letter}…`}
          options={versions.map((one) => ({
            value: String(one.version_number),
            label: one.name ? `${one.name} (version ${one.version_number})` : titleOf(one),
          }))}
          selected={chosen ? [String(chosen.version_number)] : []}
          onPick={(value) => {
            close()
            onPick(value)
          }}
        />
      )}
    </PopUp>
  )
}
