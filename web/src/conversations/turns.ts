import type { AgentEvent } from '../agents/ToolCalls.tsx'
import type { Entry, Proposal } from './api.ts'

/** A part of what an agent did, in order. */
export type Part = { kind: 'text'; entry: Entry } | { kind: 'calls'; events: AgentEvent[]; proposals: Proposal[] }

/** A question, and all that the agent did about it. */
export interface Turn {
  key: number
  question: Entry | undefined
  parts: Part[]
  callCount: number
  /** How long it took, as far as it is known. */
  ms: number
  /** Differs when anything of the turn does, so that a turn which stays the same is not drawn again. */
  mark: string
}

/** Longer inputs and outputs arrive cut. */
const CUT_AT = 4_000
const PROPOSAL = /"proposal_id":"([0-9a-f-]{36})"/

const toEvent = ({ number, text, tool, created_at }: Entry): AgentEvent => ({
  number,
  kind: tool?.part === 'output' ? 'tool_result' : 'tool_call',
  text: text.slice(0, CUT_AT),
  is_cut: text.length >= CUT_AT,
  tool: tool?.name ?? null,
  call_id: tool?.call_id ?? null,
  status: tool?.status ?? null,
  created_at,
})

/** Divides entries into turns. The first may lack its question, which was not read yet. */
export function turnsOf(entries: readonly Entry[], proposals: readonly Proposal[]): Turn[] {
  const known = new Map(proposals.map((one) => [one.id, one]))
  const turns: Turn[] = []
  const open = (entry: Entry, question: Entry | undefined) => {
    const turn: Turn = { key: entry.number, question, parts: [], callCount: 0, ms: 0, mark: '' }
    turns.push(turn)
    return turn
  }
  for (const entry of entries) {
    if (entry.role === 'user') {
      open(entry, entry)
      continue
    }
    const turn = turns.at(-1) ?? open(entry, undefined)
    turn.mark += ` ${entry.number}`
    if (turn.question) turn.ms = Date.parse(entry.created_at) - Date.parse(turn.question.created_at)
    if (entry.role === 'assistant') {
      turn.parts.push({ kind: 'text', entry })
      continue
    }
    let last = turn.parts.at(-1)
    if (last?.kind !== 'calls') {
      last = { kind: 'calls', events: [], proposals: [] }
      turn.parts.push(last)
    }
    last.events.push(toEvent(entry))
    if (entry.tool?.part === 'input') turn.callCount++
    const proposal = entry.tool?.part === 'output' && known.get(PROPOSAL.exec(entry.text)?.[1] ?? '')
    if (!proposal) continue
    last.proposals.push(proposal)
    turn.mark += ` ${proposal.status} ${proposal.changed_since?.at ?? ''}`
  }
  return turns
}

const FAILED = 'I could not finish. '

/** Why a turn ended before the agent had finished. */
export function endingOf({
  text,
  is_final,
}: Entry): { kind: 'stopped' } | { kind: 'failed'; reason: string } | undefined {
  if (!is_final) return undefined
  if (text === 'It was stopped.') return { kind: 'stopped' }
  return text.startsWith(FAILED) ? { kind: 'failed', reason: text.slice(FAILED.length) } : undefined
}
