import { kindOf, titleOf } from '../../agents/describe-write.ts'
import { WriteContent } from '../../agents/WriteContent.tsx'
import { inWords } from '../../lib/kinds.ts'
import { Button } from '../../ui/Button.tsx'
import { IconArrowBackUp } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import type { RunPage } from '../api.ts'
import { undoRun } from '../edits.ts'
import css from './Writes.module.css'
import { WriteTitle } from './WriteTitle.tsx'

/** What a run changed, each with what was there before, and the way back. */
export function Changes({ run, projectId }: { run: RunPage; projectId: string }) {
  const { writes, changes } = run
  const ids = { automationId: run.automation.id, runId: run.id }
  const mayUndo = run.may.review && run.completed_at !== null
  const done = writes.filter(({ status }) => status === 'done' || status === 'accepted')
  const others = changes.filter(({ resource_id, resource_type }) =>
    resource_type === 'integration'
      ? true
      : writes.length === 0 || !writes.some((one) => one.resource_id === resource_id),
  )
  if (writes.length === 0 && others.length === 0) return null
  return (
    <section aria-label="What it changed">
      <h2 className={css.heading}>
        <span>
          What it changed <small>{writes.length || others.length}</small>
        </span>
        {mayUndo && done.length > 1 && (
          <button type="button" className={css.undoAll} onClick={() => void undoRun(projectId, ids)}>
            Undo all {done.length}
          </button>
        )}
      </h2>
      <ul className={css.changes}>
        {writes.map((write) => (
          <li key={write.id}>
            <header className={css.head}>
              <WriteTitle write={write} projectId={projectId} />
              <span className={css.kind}>{kindOf(write)}</span>
              <span className={css.grow} />
              {write.status === 'begun' && <span className={css.stale}>Not known how far it came</span>}
              {write.status === 'undone' && (
                <span className={css.done}>
                  undone{write.decider && ` by ${write.decider.name}`}{' '}
                  {write.decided_at && <Time at={write.decided_at} as="when" />}
                </span>
              )}
              {mayUndo && (write.status === 'done' || write.status === 'accepted') && (
                <Button
                  icon={<IconArrowBackUp size={15} stroke={1.75} />}
                  aria-label={`Undo ${titleOf(write)}`}
                  onClick={() => void undoRun(projectId, { ...ids, write: { id: write.id } })}
                >
                  Undo
                </Button>
              )}
            </header>
            <WriteContent write={write} projectId={projectId} />
          </li>
        ))}
        {others.map(({ action, resource_type, resource_id, title }) => (
          <li key={`${action} ${resource_id} ${title}`}>
            <header className={css.head}>
              <strong dir="auto">{title || inWords(resource_type)}</strong>
              <span className={css.kind}>{inWords(action).toLowerCase()}</span>
            </header>
          </li>
        ))}
      </ul>
    </section>
  )
}
