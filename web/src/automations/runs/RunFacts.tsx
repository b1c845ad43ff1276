import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { costOf, durationOf } from '../../agents/cost.ts'
import { useNow } from '../../agents/use-now.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { Shares } from '../../ui/charts.tsx'
import type { RunPage } from '../api.ts'
import { RunTime } from '../RunTime.tsx'
import { TriggerIcon } from '../TriggerIcon.tsx'
import { scheduleWords, TRIGGER_NAMES } from '../words.ts'
import { durationMs } from './outcome.ts'
import css from './RunDetail.module.css'
import { RunSign } from './RunSign.tsx'

/** What a run cost, why it ran and for whom. */
export function RunFacts({ run, projectId }: { run: RunPage; projectId: string }) {
  const input = run.input_tokens ?? 0
  const output = run.output_tokens ?? 0
  const ms = durationMs(run, useNow(run.status === 'running'))
  const { owner, grants } = run.automation
  return (
    <div className={css.facts}>
      <section>
        <h2>Cost</h2>
        {input + output === 0 && run.completed_at !== null ? (
          <p>Nothing: no model was asked.</p>
        ) : (
          <Used cost={run.cost} input={input} output={output} />
        )}
      </section>
      <section>
        <h2>Run</h2>
        <Fact name="Trigger">
          <TriggerIcon type={run.trigger_type} /> {TRIGGER_NAMES[run.trigger_type]}
          {run.dry_run && ', dry run'}
        </Fact>
        {run.trigger?.config.cron_expression && (
          <Fact name="">
            {scheduleWords(run.trigger.config.cron_expression)}, {run.trigger.config.timezone}
          </Fact>
        )}
        {run.input && <Fact name="Note">“{run.input}”</Fact>}
        {run.started_at && (
          <Fact name="Started">
            <RunTime at={run.started_at} />
          </Fact>
        )}
        {ms !== undefined && <Fact name="Duration">{durationOf(ms)}</Fact>}
        {run.model && (
          <Fact name="Model">
            <code>{run.model}</code>
          </Fact>
        )}
        {owner && (
          <Fact name="Acts as">
            <Avatar person={{ ...owner, email: '' }} size={18} /> {owner.name}
          </Fact>
        )}
        {grants.length > 0 && <Fact name="Grants">{grants.join(', ')}</Fact>}
      </section>
      {(run.retries.length > 0 || run.retry_of) && (
        <section>
          <h2>{run.retries.length > 0 ? 'Retried' : 'Retry of'}</h2>
          {run.retries.map(({ id, status, created_at }) => (
            <Link
              key={id}
              to="/p/$projectId/automations/runs/$runId"
              params={{ projectId, runId: id }}
              search={{ automation: run.automation.id }}
              className={css.retry}
            >
              <RunSign status={status} /> <RunTime at={created_at} />
            </Link>
          ))}
          {run.retry_of && (
            <Link
              to="/p/$projectId/automations/runs/$runId"
              params={{ projectId, runId: run.retry_of }}
              search={{ automation: run.automation.id }}
              className={css.retry}
            >
              The run before
            </Link>
          )}
        </section>
      )}
    </div>
  )
}

const Used = ({ cost, input, output }: { cost: number | null; input: number; output: number }) => (
  <>
    <p className={css.cost}>
      <strong>{cost === null ? formatCount(input + output) : costOf(cost)}</strong>{' '}
      {cost === null ? 'tokens' : `${formatCount(input + output)} tokens`}
    </p>
    <Shares
      label="Tokens"
      parts={[
        { name: 'input', count: input, color: 'var(--accent)' },
        { name: 'output', count: output, color: 'var(--violet)' },
      ]}
    />
    <Fact name="Input">{formatCount(input)}</Fact>
    <Fact name="Output">{formatCount(output)}</Fact>
  </>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={css.fact}>
    <span>{name}</span>
    <span>{children}</span>
  </div>
)
