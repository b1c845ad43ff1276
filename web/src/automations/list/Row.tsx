import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { costOf } from '../../agents/cost.ts'
import { cx } from '../../lib/cx.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { Meter } from '../../ui/charts.tsx'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { IconHourglass, IconPlayerPause, IconPlayerPlay } from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { Switch } from '../../ui/Switch.tsx'
import type { AutomationRow } from '../api.ts'
import { deleteAutomation, switchAutomation } from '../edits.ts'
import { RunDialog } from '../RunDialog.tsx'
import { RunTime } from '../RunTime.tsx'
import { RunSign } from '../runs/RunSign.tsx'
import { TriggerIcon } from '../TriggerIcon.tsx'
import { useStartRun } from '../use-start-run.ts'
import { initialsOf, mayDo, triggerWords } from '../words.ts'
import css from './Automations.module.css'
import { DayBars } from './DayBars.tsx'

interface Props {
  row: AutomationRow
  projectId: string
  hasModel: boolean
}

/** One automation: what it may do, when it runs, how that goes, and what it waits for. */
export function Row({ row, projectId, hasModel }: Props) {
  const params = { projectId, automationId: row.id }
  const rights = row.is_built_in ? 'links feedback, makes themes' : mayDo(row.tool_kit.permission_overrides)
  return (
    <div className={cx(css.automation, !row.enabled && css.off)}>
      <div className={css.row}>
        <span className={css.mark} aria-hidden="true">
          {initialsOf(row.name)}
        </span>
        <div className={css.names}>
          <span className={css.line}>
            <Link
              to="/p/$projectId/automations/$automationId"
              params={params}
              className={css.name}
              data-row={row.id}
              dir="auto"
            >
              {row.name}
            </Link>
            {row.approval === 'required' && <span className={cx(css.badge, css.blue)}>Asks first</span>}
            {row.is_built_in && <span className={css.badge}>Built in</span>}
          </span>
          <span className={css.may} title={rights}>
            {rights}
          </span>
        </div>
        <div className={cx(css.when, css.wide)}>
          {row.triggers.length === 0 && <Trigger type="manual">Manual</Trigger>}
          {row.triggers.map((trigger) => (
            <Trigger key={trigger.id} type={trigger.trigger_type}>
              {triggerWords(trigger)}
            </Trigger>
          ))}
        </div>
        <span className={css.wide}>
          <Avatar person={row.owner && { ...row.owner, name: row.owner.display_name }} />
        </span>
        <LastRun row={row} projectId={projectId} />
        <span className={css.wide}>
          <DayBars row={row} />
        </span>
        <span className={css.wide}>
          <Budget row={row} hasModel={hasModel} />
        </span>
        <OnSwitch row={row} projectId={projectId} />
        <RowMenu row={row} projectId={projectId} />
      </div>
      <Banner row={row} projectId={projectId} />
    </div>
  )
}

const Trigger = ({ type, children }: { type: Parameters<typeof TriggerIcon>[0]['type']; children: string }) => (
  <span className={css.trigger}>
    <TriggerIcon type={type} />
    <span>{children}</span>
  </span>
)

/** What a run did, in a few words. */
function outcomeOf({ last_run: run, waiting }: AutomationRow): string {
  if (!run) return ''
  if (run.status === 'running') return 'running'
  if (waiting.some(({ run_id }) => run_id === run.id)) return 'waits for approval'
  if (run.status !== 'succeeded') return run.status
  if (run.change_count === 0) return 'nothing to change'
  return run.change_count === 1 && run.first_title ? run.first_title : countOf(run.change_count, 'change')
}

function LastRun({ row, projectId }: { row: AutomationRow; projectId: string }) {
  const run = row.last_run
  if (!run) return <span className={cx(css.last, css.may)}>never ran</span>
  const waits = row.waiting.some(({ run_id }) => run_id === run.id)
  return (
    <Link
      to="/p/$projectId/automations/runs/$runId"
      params={{ projectId, runId: run.id }}
      search={{ automation: row.id }}
      className={css.last}
    >
      <RunSign status={run.status} isWaiting={waits} />
      <span className={css.names}>
        <RunTime at={run.started_at ?? run.created_at} />
        <span className={css.may}>{outcomeOf(row)}</span>
      </span>
    </Link>
  )
}

function Budget({ row, hasModel }: { row: AutomationRow; hasModel: boolean }) {
  const { cost_per_month: cost, tokens_per_month: tokens, cost_per_day, tokens_per_day } = row.budget
  const { month } = row
  if (cost !== null || tokens !== null) {
    const [used, limit] = cost !== null ? [month.cost, cost] : [month.tokens, tokens!]
    const shown = cost !== null ? costOf : formatCount
    return (
      <span className={css.budget}>
        <span>
          <strong>{shown(used)}</strong> of {shown(limit)}
          {cost === null && ' tokens'}
        </span>
        <Meter
          label={`Budget of ${row.name}`}
          value={used}
          max={limit}
          tone="budget"
          text={`${shown(used)} of ${shown(limit)}`}
        />
      </span>
    )
  }
  if (cost_per_day !== null) return <span className={css.may}>{costOf(cost_per_day)} a day</span>
  if (tokens_per_day !== null) return <span className={css.may}>{formatCount(tokens_per_day)} tokens a day</span>
  if (row.is_built_in && !hasModel) return <span className={css.may}>free, no model</span>
  return <span className={css.may}>{month.cost > 0 ? `${costOf(month.cost)}, none set` : 'none set'}</span>
}

/** Why somebody cannot switch it. */
export const switchFault = ({ enabled, may, owner }: Pick<AutomationRow, 'enabled' | 'may' | 'owner'>) =>
  (enabled ? may.switch_off : may.edit)
    ? undefined
    : `It acts with the rights of ${owner?.display_name ?? 'its owner'}, so only they or a Super Admin switch it on${enabled ? ', and admins of the project switch it off' : ''}.`

function OnSwitch({ row, projectId }: { row: AutomationRow; projectId: string }) {
  const fault = switchFault(row)
  return (
    <Switch
      checked={row.enabled}
      label={`${row.name} is on`}
      title={fault}
      disabled={fault !== undefined}
      onChange={(enabled) => void switchAutomation(projectId, { row, enabled })}
    >
      {null}
    </Switch>
  )
}

function RowMenu({ row, projectId }: { row: AutomationRow; projectId: string }) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const start = useStartRun(projectId, row.id)
  const [starting, setStarting] = useState(false)
  const mayStart = row.may.edit && !row.is_built_in
  const options = [
    { value: 'runs', label: 'Runs' },
    ...(mayStart && row.enabled ? [{ value: 'run', label: 'Run now…' }] : []),
    ...(mayStart ? [{ value: 'dry', label: 'Dry run' }] : []),
    ...(mayStart ? [{ value: 'delete', label: 'Delete…' }] : []),
  ]
  const pick = (value: string) => {
    if (value === 'run') setStarting(true)
    else if (value === 'dry') start(true)
    else if (value === 'delete') setAsking(true)
    else
      void navigate({
        to: '/p/$projectId/automations/runs',
        params: { projectId },
        search: { automation: row.id },
      })
  }
  return (
    <>
      <MoreMenu label={`More for ${row.name}`} options={options} onPick={pick} />
      {starting && (
        <RunDialog name={row.name} onStart={(input) => start(false, input)} onClose={() => setStarting(false)} />
      )}
      {asking && (
        <ConfirmDialog
          title={`Delete “${row.name}”?`}
          verb="Delete"
          onConfirm={() => deleteAutomation(projectId, row)}
          onClose={() => setAsking(false)}
        >
          <p>The history of its runs goes with it. What they changed stays.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What the automation waits for, in the place where it is answered. */
function Banner({ row, projectId }: { row: AutomationRow; projectId: string }) {
  const [first] = row.waiting
  const count = row.waiting.reduce((sum, one) => sum + one.count, 0)
  return (
    <>
      {first && (
        <div className={cx(css.banner, css.amber)}>
          <IconHourglass size={16} stroke={1.75} />
          <span>
            <strong>
              {countOf(count, 'proposal')} {count === 1 ? 'waits' : 'wait'} for approval.
            </strong>{' '}
            Nothing is changed until{' '}
            {row.may.review
              ? 'you or another person who looks after it accepts'
              : `${row.owner?.display_name ?? 'its owner'} or an admin accepts`}
            .
          </span>
          <Link
            to="/p/$projectId/automations/runs/$runId"
            params={{ projectId, runId: first.run_id }}
            search={{ automation: row.id }}
            className={css.review}
          >
            Review {formatCount(count)}
          </Link>
        </div>
      )}
      {row.paused && (
        <div className={cx(css.banner, css.red)}>
          <IconPlayerPause size={16} stroke={1.75} />
          <span>
            <strong>Paused.</strong> {row.paused.reason}
          </span>
          {row.last_run && (
            <Link
              to="/p/$projectId/automations/runs/$runId"
              params={{ projectId, runId: row.last_run.id }}
              search={{ automation: row.id }}
              className={css.openRun}
            >
              Open run
            </Link>
          )}
          {row.may.edit && row.paused.until === null && (
            <Button
              icon={<IconPlayerPlay size={15} stroke={1.75} />}
              onClick={() => void switchAutomation(projectId, { row, enabled: true })}
            >
              Resume
            </Button>
          )}
        </div>
      )}
    </>
  )
}
