import { memo, useState } from 'react'
import { durationOf } from '../../agents/cost.ts'
import { callsOf, ToolCalls } from '../../agents/ToolCalls.tsx'
import { useNow } from '../../agents/use-now.ts'
import { copyText } from '../../lib/copy-text.ts'
import { cx } from '../../lib/cx.ts'
import { countOf } from '../../lib/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { IconAlertTriangle, IconChevronRight, IconCopy, IconQuote, IconRefresh } from '../../ui/icons.ts'
import { type DrawLink, Markdown } from '../../ui/Markdown.tsx'
import type { Entry } from '../api.ts'
import { sayingIn } from '../stream.ts'
import { endingOf, type Part, type Turn } from '../turns.ts'
import { ProposalCard } from './ProposalCard.tsx'
import { Question } from './Question.tsx'
import css from './TurnView.module.css'
import type { TurnActions } from './turn-actions.ts'

const AGENT = { type: 'agent' as const, id: null, name: 'Agent', on_behalf_of: null }

interface Props extends TurnActions {
  turn: Turn
  /** When it began, if the agent is answering it. */
  startedAt: string | null
  showsCalls: boolean
}

/** A question and its answer. */
function AnyTurn({ turn, startedAt, showsCalls, ...actions }: Props) {
  const { question, parts } = turn
  const isActive = startedAt !== null
  const texts = parts.flatMap((part) => (part.kind === 'text' && !endingOf(part.entry) ? [part.entry.text] : []))
  const [isOpen, setOpen] = useState<boolean>()
  const shows = isOpen ?? showsCalls
  return (
    <article className={css.turn}>
      {question && <Question entry={question} isActive={isActive} {...actions} />}
      {(parts.length > 0 || isActive) && (
        <div className={css.answer}>
          <ActorMark actor={AGENT} size={24} />
          <div className={css.said}>
            {question && <Thinking turn={turn} startedAt={startedAt} shows={shows} onToggle={() => setOpen(!shows)} />}
            {parts.map((part) => (
              <PartView
                key={part.kind === 'text' ? part.entry.number : `calls ${part.events[0]?.number}`}
                part={part}
                isOver={!isActive}
                showsCalls={shows}
                question={question}
                {...actions}
              />
            ))}
            {isActive && <Saying id={actions.conversationId} drawLink={actions.drawLink} />}
            {!isActive && texts.length > 0 && (
              <div className={css.actions}>
                <button type="button" onClick={() => void copyText(texts.join('\n\n'), 'Answer copied')}>
                  <IconCopy size={15} stroke={1.75} /> Copy
                </button>
                {actions.mayTalk && (
                  <button type="button" onClick={() => actions.onQuote(texts.at(-1)!)}>
                    <IconQuote size={15} stroke={1.75} /> Quote
                  </button>
                )}
                {actions.mayTalk && question && (
                  <button type="button" onClick={() => void actions.onAskAgain(question.number, question.text)}>
                    <IconRefresh size={15} stroke={1.75} /> Ask again
                  </button>
                )}
              </div>
            )}
          </div>
        </div>
      )}
    </article>
  )
}

/** Each message makes new turns of all entries. Those that stay the same are not drawn again. */
export const TurnView = memo(AnyTurn, (before, after) => {
  const { turn, proposals, ...rest } = after
  const isSame = before.turn.key === turn.key && before.turn.mark === turn.mark
  const names = Object.keys(rest) as (keyof typeof rest)[]
  return (
    isSame &&
    (!hasProposals(turn) || before.proposals === proposals) &&
    names.every((name) => before[name] === rest[name])
  )
})

const hasProposals = ({ parts }: Turn) => parts.some((part) => part.kind === 'calls' && part.proposals.length > 0)

interface ThinkingProps {
  turn: Turn
  startedAt: string | null
  shows: boolean
  onToggle(): void
}

/** How long the agent worked, with the tools that it called. */
function Thinking({ turn: { callCount, ms }, startedAt, shows, onToggle }: ThinkingProps) {
  const now = useNow(startedAt !== null)
  const time = startedAt === null ? durationOf(ms) : durationOf(Math.max(1_000, now - Date.parse(startedAt)))
  const words = startedAt === null ? `Worked for ${time}` : `Thinking… ${time}`
  const calls = callCount > 0 && <span> · {countOf(callCount, 'tool call')}</span>
  if (callCount === 0)
    return (
      <p className={cx(css.thinking, startedAt !== null && css.pulse)}>
        <strong>{words}</strong>
      </p>
    )
  return (
    <button
      type="button"
      className={cx(css.thinking, startedAt !== null && css.pulse)}
      aria-expanded={shows}
      onClick={onToggle}
    >
      <IconChevronRight size={15} stroke={1.75} className={cx(css.fold, shows && css.unfolded)} />
      <strong>{words}</strong>
      {calls}
    </button>
  )
}

/** What is being said, block by block. It becomes an entry when it is stored. */
function Saying({ id, drawLink }: { id: string; drawLink: DrawLink }) {
  const text = useStore(sayingIn(id))
  if (text === '') return null
  return (
    <div className={cx(css.text, css.saying)}>
      <Markdown text={text} drawLink={drawLink} />
    </div>
  )
}

interface PartProps extends TurnActions {
  part: Part
  isOver: boolean
  showsCalls: boolean
  question: Entry | undefined
}

function PartView({ part, isOver, showsCalls, question, ...actions }: PartProps) {
  if (part.kind === 'calls')
    return (
      <>
        {showsCalls && (
          <div className={css.calls}>
            <ToolCalls calls={callsOf(part.events)} isOver={isOver} />
          </div>
        )}
        {part.proposals.map((one) => (
          <ProposalCard
            key={one.id}
            projectId={actions.projectId}
            conversationId={actions.conversationId}
            proposal={one}
            mayDecide={actions.mayTalk}
            needs={actions.proposals.filter(({ id }) => one.depends_on.includes(id))}
          />
        ))}
      </>
    )
  const ending = endingOf(part.entry)
  if (ending?.kind === 'stopped') return <p className={css.stopped}>Stopped</p>
  if (ending)
    return (
      <div className={css.failed} role="note">
        <IconAlertTriangle size={16} stroke={1.75} />
        <div>
          <strong>The agent could not finish.</strong> {ending.reason}
          {actions.mayTalk && question && (
            <button type="button" onClick={() => void actions.onAskAgain(question.number, question.text)}>
              Ask again
            </button>
          )}
        </div>
      </div>
    )
  return (
    <div className={css.text} dir="auto">
      <Markdown text={part.entry.text} drawLink={actions.drawLink} />
    </div>
  )
}
