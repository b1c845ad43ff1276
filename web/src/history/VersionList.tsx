import { useEffect, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { dayOf, fullTimeOf, momentOf } from '../lib/time.ts'
import { ActorMarks } from '../people/ActorMarks.tsx'
import { useAgents } from '../people/Avatar.tsx'
import { IconButton } from '../ui/Button.tsx'
import { IconArrowBackUp, IconBookmark } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { authorsOf } from './authors.ts'
import type { HistoryEntry } from './entry.ts'
import css from './History.module.css'

interface Props {
  versions: HistoryEntry[]
  a: number | undefined
  b: number | undefined
  mayWrite: boolean
  /** The number of the version that is being named. */
  naming: number | undefined
  onNaming(version: number | undefined): void
  /** Undefined if versions have no names here. */
  onName: ((version: HistoryEntry, name: string | null) => void) | undefined
  onRestore(version: HistoryEntry): void
  onPick(version: number, isB: boolean): void
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

export const titleOf = ({ version_number }: Pick<HistoryEntry, 'version_number'>) => `Version ${version_number}`

/** The versions by day. A click chooses A, a click with Shift chooses B. */
export function VersionList(props: Props) {
  const { versions, a, b, mayWrite, naming, onNaming, onName, onRestore, onPick } = props
  const [onlyNamed, setOnlyNamed] = useState(false)
  const list = useRef<HTMLElement>(null)
  const agents = useAgents()
  const named = versions.filter(({ name }) => name !== null)
  const shown = onlyNamed ? named : versions
  useEffect(() => {
    if (naming !== undefined) list.current?.querySelector('input')?.scrollIntoView({ block: 'nearest' })
  }, [naming])
  return (
    <aside ref={list} className={css.versions} aria-label="Versions">
      <div className={css.versionsHead}>
        <h2>Versions {versions.length > 0 && <span>{versions.length}</span>}</h2>
        {onName && (
          <button
            type="button"
            className={css.onlyNamed}
            aria-pressed={onlyNamed}
            onClick={() => setOnlyNamed(!onlyNamed)}
          >
            <IconBookmark size={15} stroke={1.75} />
            Named only
          </button>
        )}
      </div>
      {versions.length > 1 && <p className={css.keys}>Click compares with A, Shift and click with B.</p>}
      {onlyNamed && named.length === 0 && (
        <p className={css.how}>No version has a name yet. A name keeps a version easy to find.</p>
      )}
      {shown.map((version, at) => {
        const { version_number: number, version_id, name, created_at, authors, run_id } = version
        const day = dayOf(created_at)
        const mark = number === a ? 'A' : number === b ? 'B' : undefined
        return (
          <div key={version_id} className={css.item}>
            {(at === 0 || dayOf(shown[at - 1]!.created_at) !== day) && <h3 className={css.day}>{day}</h3>}
            <div className={cx(css.entry, mark && css.chosen)}>
              <span className={css.mark} data-mark={mark} aria-hidden>
                {mark}
              </span>
              <button
                type="button"
                className={css.pick}
                aria-pressed={mark !== undefined}
                onClick={(event) => onPick(number, event.shiftKey)}
              >
                <span className={css.name}>
                  {name !== null && <IconBookmark size={14} stroke={1.75} />}
                  <span className={css.ownName}>{name ?? titleOf(version)}</span>
                  {name !== null && <small>{titleOf(version)}</small>}
                  {version === versions[0] && <em>Current</em>}
                  {mark && <span className="sr-only">, chosen as {mark}</span>}
                </span>
              </button>
              <Lines added={version.lines_added} removed={version.lines_removed} />
              {mayWrite && (
                <span className={css.tools}>
                  {onName && (
                    <IconButton small label={`Name version ${number}`} onClick={() => onNaming(number)}>
                      <IconBookmark size={15} stroke={1.75} />
                    </IconButton>
                  )}
                  {version !== versions[0] && (
                    <IconButton small label={`Restore version ${number}`} onClick={() => onRestore(version)}>
                      <IconArrowBackUp size={15} stroke={1.75} />
                    </IconButton>
                  )}
                </span>
              )}
              {onName && naming === number && (
                <NameField
                  name={name}
                  number={number}
                  onDone={(next) => {
                    onNaming(undefined)
                    if (next !== undefined) onName(version, next)
                  }}
                />
              )}
              <span className={css.by} title={run_id ? `Run ${run_id}` : undefined}>
                <ActorMarks actors={authors} size={16} />
                <span className={css.who} title={authorsOf(version, agents, (names) => names.join(', '))}>
                  {authorsOf(version, agents)}
                </span>
                <time dateTime={created_at} title={fullTimeOf(created_at)}>
                  {day === 'Today' ? momentOf(created_at) : clock.format(new Date(created_at))}
                </time>
              </span>
            </div>
          </div>
        )
      })}
    </aside>
  )
}

function Lines({ added, removed }: { added: number | null; removed: number | null }) {
  if (!added && !removed) return null
  const words = [added ? `${added} lines added` : '', removed ? `${removed} removed` : ''].filter(Boolean).join(', ')
  return (
    <span className={css.lines} role="img" aria-label={words} title={words}>
      {added ? `+${added}` : ''} {removed ? `−${removed}` : ''}
    </span>
  )
}

interface NameProps {
  name: string | null
  number: number
  /** Called with null if the name is taken away, with nothing if it stays. */
  onDone(name: string | null | undefined): void
}

function NameField({ name, number, onDone }: NameProps) {
  const [text, setText] = useState(name ?? '')
  const isOver = useRef(false)
  const finish = (next: string | null | undefined) => {
    if (isOver.current) return
    isOver.current = true
    onDone(next)
  }
  return (
    <form
      className={css.naming}
      onSubmit={(event) => {
        event.preventDefault()
        finish(text.trim() || null)
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the field opens on request
        autoFocus
        aria-label={`Name of version ${number}`}
        placeholder="Agreed with Finance"
        maxLength={100}
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => finish(text.trim() || (name === null ? undefined : null))}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          finish(undefined)
        }}
      />
      <Kbd keys="enter" />
    </form>
  )
}
