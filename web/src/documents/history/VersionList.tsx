import type { VersionEntry } from '@slipway/sdk'
import { cx } from '../../lib/cx.ts'
import { dayOf, fullTimeOf, momentOf } from '../../lib/time.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import css from './HistoryPage.module.css'

interface Props {
  versions: VersionEntry[]
  a: number | undefined
  b: number | undefined
  onPick(version: number, isB: boolean): void
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const WAYS: Record<VersionEntry['attribution']['origin_type'], string> = {
  user: '',
  external_api: ' over the API',
  mcp: ' over MCP',
  agent: ' through an agent',
  automation: ' through an automation',
  system: '',
}

/** The versions by day. A click chooses A, a click with Shift chooses B. */
export function VersionList({ versions, a, b, onPick }: Props) {
  return (
    <aside className={css.versions} aria-label="Versions">
      <h2 className={css.versionsHead}>
        Versions <span>{versions.length}</span>
      </h2>
      <p className={css.how}>Click compares with A, Shift and click with B.</p>
      {versions.map((version, at) => {
        const { version_number, version_id, version_name, created_at, attribution } = version
        const day = dayOf(created_at)
        const { user_first_name, user_last_name, user_email, origin_name, user_id, origin_type } = attribution
        const name = [user_first_name, user_last_name].filter(Boolean).join(' ') || user_email || origin_name
        const mark = version_number === a ? 'A' : version_number === b ? 'B' : undefined
        return (
          <div key={version_id}>
            {(at === 0 || dayOf(versions[at - 1]!.created_at) !== day) && <h3 className={css.day}>{day}</h3>}
            <button
              type="button"
              className={cx(css.entry, mark && css.chosen)}
              aria-pressed={mark !== undefined}
              onClick={(event) => onPick(version_number, event.shiftKey)}
            >
              <span className={css.mark} data-mark={mark}>
                {mark}
              </span>
              <span className={css.name}>
                {version_name}
                {at === 0 && <em>Current</em>}
              </span>
              <span className={css.by}>
                {user_id && <Avatar person={{ id: user_id, name, email: '' }} size={16} />}
                <span className={css.who}>
                  {name}
                  {WAYS[origin_type]}
                </span>
                <time dateTime={created_at} title={fullTimeOf(created_at)}>
                  {day === 'Today' ? momentOf(created_at) : clock.format(new Date(created_at))}
                </time>
              </span>
            </button>
          </div>
        )
      })}
    </aside>
  )
}
