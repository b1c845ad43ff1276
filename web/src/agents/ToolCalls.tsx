import { useState } from 'react'
import { cx } from '../lib/cx.ts'
import { formatCount } from '../lib/numbers.ts'
import { IconChevronRight } from '../ui/icons.ts'
import { durationOf } from './cost.ts'
import css from './ToolCalls.module.css'

/** What an agent did, in order: a call, its answer, or something that it said. */
export interface AgentEvent {
  number: number
  kind: 'user' | 'assistant' | 'tool_call' | 'tool_result'
  /** Null if only others may see it. */
  text: string | null
  is_cut: boolean
  tool: string | null
  call_id: string | null
  status: string | null
  created_at: string
}

export interface Call {
  call: AgentEvent
  /** Undefined while it goes on. */
  answer: AgentEvent | undefined
}

/** The calls with their answers. */
export function callsOf(events: AgentEvent[]): Call[] {
  const answers = new Map(events.filter(({ kind }) => kind === 'tool_result').map((one) => [one.call_id, one]))
  return events.filter(({ kind }) => kind === 'tool_call').map((call) => ({ call, answer: answers.get(call.call_id) }))
}

/** More than these are shown on demand, so that a long run opens as fast as a short one. */
const SHOWN = 200

/** The tools that an agent called. Each opens to show what it was asked and what it answered. */
export function ToolCalls({ calls, isOver }: { calls: Call[]; isOver: boolean }) {
  const [shown, setShown] = useState(SHOWN)
  const hidden = Math.max(0, calls.length - shown)
  return (
    <>
      {hidden > 0 && (
        <button type="button" className={css.earlier} onClick={() => setShown(shown + SHOWN)}>
          Show earlier calls ({formatCount(hidden)})
        </button>
      )}
      <ol className={css.calls}>
        {calls.slice(hidden).map((one) => (
          <li key={one.call.number}>
            <ToolCall {...one} isOver={isOver} />
          </li>
        ))}
      </ol>
    </>
  )
}

const FAILED = new Set(['failed', 'error', 'refused'])

function ToolCall({ call, answer, isOver }: Call & { isOver: boolean }) {
  const isFailed = answer !== undefined && FAILED.has(answer.status ?? '')
  const isProposal = answer?.text?.includes('"status":"proposed"') ?? false
  const state = answer ? (isFailed ? 'failed' : isProposal ? 'proposed' : 'done') : isOver ? 'unknown' : 'running'
  const ms = answer && Date.parse(answer.created_at) - Date.parse(call.created_at)
  return (
    <details className={css.call}>
      <summary>
        <IconChevronRight size={14} stroke={1.75} className={css.fold} />
        <span className={cx(css.dot, css[state])} role="img" aria-label={state} />
        <code>{call.tool}</code>
        <span className={css.asked}>{summaryOf(call.text)}</span>
        <span className={css.time}>{ms === undefined ? state === 'running' && 'running' : durationOf(ms)}</span>
      </summary>
      <div className={css.body}>
        <Said sign="→" label="Asked" event={call} />
        {answer && <Said sign="←" label="Answered" event={answer} isFailed={isFailed} />}
      </div>
    </details>
  )
}

function Said({
  sign,
  label,
  event,
  isFailed,
}: {
  sign: string
  label: string
  event: AgentEvent
  isFailed?: boolean
}) {
  return (
    <pre className={cx(isFailed && css.wrong)}>
      <span className="sr-only">{label}: </span>
      <span aria-hidden="true">{sign} </span>
      {event.text === null ? 'Only those who look after the automation see this.' : event.text}
      {event.is_cut && '\n… The rest is left out here.'}
    </pre>
  )
}

const LONGEST = 90

/** The values of the arguments, without what only machines read. */
function summaryOf(text: string | null): string {
  if (text === null) return ''
  try {
    const words: string[] = []
    const collect = (value: unknown) => {
      if (typeof value === 'string' && !/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)) words.push(value)
      else if (value && typeof value === 'object') for (const one of Object.values(value)) collect(one)
    }
    collect(JSON.parse(text))
    const summary = words.join(' · ').replaceAll(/\s+/g, ' ')
    return summary.length > LONGEST ? `${summary.slice(0, LONGEST)}…` : summary
  } catch {
    return text.slice(0, LONGEST)
  }
}
