import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { countOf } from '../../lib/numbers.ts'
import { IconDownload } from '../../ui/icons.ts'
import { Progress } from '../../ui/Progress.tsx'
import { Time } from '../../ui/Time.tsx'
import settings from '../Settings.module.css'
import { isGoingOn, sizeOf, type Transfer } from './api.ts'
import css from './Transfers.module.css'

const NAMES: Record<Transfer['kind'], string> = {
  export: 'Export',
  project: 'Import of a project',
  work_orders: 'Import of work orders',
  documents: 'Import of documents',
}

/** The latest exports and imports, with how far they are. */
export function RecentTransfers({ projectId, transfers }: { projectId: string; transfers: Transfer[] }) {
  return (
    <>
      <h2 className={settings.subtitle}>Latest</h2>
      <ul className={css.list}>
        {transfers.map((one) => (
          <li key={one.id} className={css.row}>
            <div className={css.grow}>
              <p className={css.name}>
                {NAMES[one.kind]} <span className={css.dim}>{one.file_name}</span>
              </p>
              <Outcome transfer={one} />
            </div>
            <Time className={css.when} at={one.created_at} as="ago" />
            {one.kind === 'export' && one.state === 'done' && (
              <a
                className={css.download}
                href={api.transfers(callOf(projectId)).exportUrl(one.id)}
                download={one.file_name}
              >
                <IconDownload size={16} stroke={1.75} />
                Download <span className={css.dim}>{sizeOf(one.file_size ?? 0)}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function Outcome({ transfer }: { transfer: Transfer }) {
  if (isGoingOn(transfer)) return <HowFar transfer={transfer} />
  if (transfer.state === 'failed') return <p className={css.problem}>{transfer.error}</p>
  return (
    <>
      <p className={css.text}>{describeCounts(transfer)}</p>
      {transfer.problems.length > 0 && (
        <details className={css.problems}>
          <summary>{countOf(transfer.problems.length, 'remark')}</summary>
          <ul>
            {transfer.problems.map(({ where, detail }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <li key={index}>
                <span className={css.dim}>{where}:</span> {detail}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function HowFar({ transfer: { kind, done, total, state } }: { transfer: Transfer }) {
  const share = total ? Math.min(1, done / total) : undefined
  const note = state === 'waiting' ? 'Waiting to begin' : share === undefined ? 'Beginning' : undefined
  return <Progress label={NAMES[kind]} share={share} note={note} />
}

/** What somebody would ask about first. */
const SHOWN: Record<string, [string, string]> = {
  documents: ['document', 'documents'],
  work_orders: ['work order', 'work orders'],
  feedback_items: ['report', 'reports'],
  themes: ['theme', 'themes'],
  files: ['file', 'files'],
  conversations: ['conversation', 'conversations'],
  created: ['created', 'created'],
  skipped: ['was here already', 'were here already'],
  refused: ['left out', 'left out'],
  changed: ['changed', 'changed'],
  unknown_people: ['person by name only', 'people by name only'],
}

function describeCounts({ counts }: Transfer): string {
  const shown = Object.entries(SHOWN).flatMap(([name, [one, many]]) =>
    counts[name] ? [countOf(counts[name], one, many)] : [],
  )
  return shown.length === 0 ? 'Nothing to do.' : shown.join(', ')
}
