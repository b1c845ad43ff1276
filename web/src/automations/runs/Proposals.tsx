import { useEffect, useRef, useState } from 'react'
import { kindOf, titleOf } from '../../agents/describe-write.ts'
import { Outdated } from '../../agents/Outdated.tsx'
import { WriteContent } from '../../agents/WriteContent.tsx'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/Button.tsx'
import { IconArrowBackUp, IconCheck, IconX } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { Time } from '../../ui/Time.tsx'
import type { RunPage, RunWrite } from '../api.ts'
import { decideWrite, undoRun } from '../edits.ts'
import { useShortcut } from '../shortcuts.ts'
import css from './Writes.module.css'
import { WriteTitle } from './WriteTitle.tsx'

interface Props {
  run: RunPage
  projectId: string
}

/** The place of the proposal that has to be accepted first, counted from 1. */
function neededBy({ depends_on }: RunWrite, all: RunWrite[]): number | undefined {
  const at = all.findIndex(({ id, status }) => depends_on.includes(id) && status !== 'accepted')
  return at === -1 ? undefined : at + 1
}

const isOpen = ({ status }: RunWrite) => status === 'proposed' || status === 'begun'

/** What a run proposes, in order. A decision is final, and the proposal folds to one line. */
export function Proposals({ run, projectId }: Props) {
  const { writes } = run
  const isPhone = useWidth(PHONE)
  const [activeId, setActiveId] = useState<string>()
  const [busyId, setBusyId] = useState<string>()
  const active = writes.find((one) => one.id === activeId && isOpen(one)) ?? writes.find(isOpen)
  const list = useRef<HTMLOListElement>(null)
  const mayDecide = run.may.review
  const acceptable = (write: RunWrite) => write.changed_since === null && neededBy(write, writes) === undefined
  const step = (by: 1 | -1) => {
    const open = writes.filter(isOpen)
    const at = open.findIndex(({ id }) => id === active?.id)
    const next = open[Math.max(0, Math.min(open.length - 1, at + by))]
    if (next) setActiveId(next.id)
  }
  const decide = async (write: RunWrite, decision: 'accept' | 'reject') => {
    if (busyId !== undefined || (decision === 'accept' && !acceptable(write))) return
    setBusyId(write.id)
    const ids = { automationId: run.automation.id, runId: run.id }
    const outcome = await decideWrite(projectId, { ...ids, write: { id: write.id }, decision })
    setBusyId(undefined)
    if (outcome.state !== 'saved') return
    const rest = writes.slice(writes.indexOf(write) + 1).find(isOpen)
    setActiveId(rest?.id)
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  useShortcut('proposal-accept', mayDecide && active ? () => void decide(active, 'accept') : undefined)
  useShortcut('proposal-reject', mayDecide && active ? () => void decide(active, 'reject') : undefined)
  const shownId = active?.id
  useEffect(() => {
    if (activeId !== undefined)
      list.current?.querySelector(`[data-write="${shownId}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [activeId, shownId])
  const buttons = (write: RunWrite, isActive: boolean) => (
    <Buttons
      isActive={isActive}
      isBusy={busyId === write.id}
      title={titleOf(write)}
      mayAccept={acceptable(write)}
      isOutdated={write.changed_since !== null}
      onDecide={(decision) => void decide(write, decision)}
    />
  )
  return (
    <section aria-label="Proposals">
      {isPhone && <Place writes={writes} active={active} />}
      <ol ref={list} className={css.proposals}>
        {writes.map((write, at) => {
          const needs = neededBy(write, writes)
          const isActive = write.id === active?.id
          if (!isOpen(write))
            return <Decided key={write.id} write={write} place={at + 1} run={run} projectId={projectId} />
          return (
            <li
              key={write.id}
              data-write={write.id}
              className={cx(css.proposal, isActive && mayDecide && css.active, write.changed_since && css.outdated)}
            >
              <span className={css.place}>{at + 1}</span>
              <div className={css.body}>
                <header className={css.head}>
                  <WriteTitle write={write} projectId={projectId} />
                  <span className={css.kind}>{kindOf(write)}</span>
                  <span className={css.grow} />
                  {needs !== undefined && <span className={css.needs}>needs {needs}</span>}
                  {write.changed_since && <span className={css.stale}>Outdated</span>}
                  {mayDecide && !isPhone && buttons(write, isActive)}
                </header>
                {(!isPhone || isActive) &&
                  (write.changed_since ? (
                    <Outdated write={write} />
                  ) : (
                    <WriteContent write={write} projectId={projectId} />
                  ))}
              </div>
            </li>
          )
        })}
      </ol>
      {mayDecide && active && !isPhone && (
        <p className={css.keys}>
          Nothing is changed until you accept.
          <span>
            <Kbd keys="j" /> <Kbd keys="k" /> move <Kbd keys="a" /> accept <Kbd keys="r" /> reject
          </span>
        </p>
      )}
      {isPhone && mayDecide && active && <div className={css.thumb}>{buttons(active, true)}</div>}
    </section>
  )
}

/** On a phone, how far one is. */
function Place({ writes, active }: { writes: RunWrite[]; active: RunWrite | undefined }) {
  const outdated = writes.filter((one) => isOpen(one) && one.changed_since).length
  return (
    <div className={css.progress}>
      <span className={css.steps} aria-hidden="true">
        {writes.map((one) => (
          <span
            key={one.id}
            className={cx(
              !isOpen(one) && css.stepDone,
              one.id === active?.id && css.stepHere,
              one.changed_since && css.stepStale,
            )}
          />
        ))}
      </span>
      <strong>{active ? `${writes.indexOf(active) + 1} of ${writes.length}` : 'All decided'}</strong>
      {outdated > 0 && <span className={css.amber}>{outdated} outdated</span>}
    </div>
  )
}

interface ButtonProps {
  title: string
  isActive: boolean
  isBusy: boolean
  isOutdated: boolean
  mayAccept: boolean
  onDecide(decision: 'accept' | 'reject'): void
}

const Buttons = ({ title, isActive, isBusy, isOutdated, mayAccept, onDecide }: ButtonProps) => (
  <span className={css.buttons}>
    <Button
      icon={<IconX size={15} stroke={1.75} className={css.x} />}
      disabled={isBusy}
      onClick={() => onDecide('reject')}
    >
      Reject<span className="sr-only"> {title}</span>
      {isActive && <Kbd keys="r" />}
    </Button>
    {!isOutdated && (
      <Button
        icon={<IconCheck size={15} stroke={1.75} />}
        className={isActive ? css.accept : undefined}
        disabled={!mayAccept}
        busy={isBusy}
        onClick={() => onDecide('accept')}
      >
        Accept<span className="sr-only"> {title}</span>
        {isActive && <Kbd keys="a" onAccent />}
      </Button>
    )}
  </span>
)

const WORDS: Partial<Record<RunWrite['status'], string>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  undone: 'undone',
}

function Decided({ write, place, run, projectId }: { write: RunWrite; place: number } & Props) {
  const mayUndo =
    run.may.review && run.completed_at !== null && (write.status === 'accepted' || write.status === 'done')
  return (
    <li className={cx(css.proposal, css.decided)} data-write={write.id}>
      <span className={css.place}>{place}</span>
      <details className={css.body}>
        <summary className={css.head}>
          <WriteTitle write={write} projectId={projectId} />
          <span className={css.grow} />
          <span className={write.status === 'rejected' ? css.rejected : css.done}>
            {WORDS[write.status] ?? 'done'}
            {write.decider && ` by ${write.decider.name}`}{' '}
            {write.decided_at && <Time at={write.decided_at} as="when" />}
          </span>
        </summary>
        {write.reason && <p className={css.gone}>{write.reason}</p>}
        <WriteContent write={write} projectId={projectId} />
      </details>
      {mayUndo && (
        <Button
          icon={<IconArrowBackUp size={15} stroke={1.75} />}
          aria-label={`Undo ${titleOf(write)}`}
          onClick={() =>
            void undoRun(projectId, { automationId: run.automation.id, runId: run.id, write: { id: write.id } })
          }
        >
          Undo
        </Button>
      )}
    </li>
  )
}
