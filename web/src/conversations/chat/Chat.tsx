import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { ModelPick } from '../../agents/ModelPick.tsx'
import { useDraftText } from '../../lib/drafts.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useStable } from '../../lib/use-stable.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { modelQuery, type Transcript as Shown, transcriptKey } from '../api.ts'
import { askAgain, changeChat, sendMessage, stopAnswer, takeQueued } from '../edits.ts'
import { useStream } from '../stream.ts'
import css from './Chat.module.css'
import { ChatComposer } from './ChatComposer.tsx'
import { useCitations } from './Citation.tsx'
import question from './Question.module.css'
import { Transcript } from './Transcript.tsx'

interface Props {
  projectId: string
  shown: Shown
  beside: string | undefined
  showsCalls: boolean
}

/** A conversation with the agent. */
export function Chat({ projectId, shown, beside, showsCalls }: Props) {
  const { id, active_turn, proposals, branches, queued, is_own, origin } = shown
  const navigate = useNavigate()
  const mayTalk = useMayWrite() && is_own && origin === 'user'
  const [text, setText] = useDraftText(`conversation ${id}`)
  const [sending, setSending] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [focusKey, setFocusKey] = useState(0)
  const models = useQuery(modelQuery(projectId)).data
  const drawLink = useCitations(projectId, beside)
  useStream(projectId, id, active_turn.started_at, shown.entries.at(-1)?.number ?? 0)
  const readAgain = () => queryClient.invalidateQueries({ queryKey: transcriptKey(projectId, id) })
  const open = (conversationId: string) =>
    void navigate({
      to: '/p/$projectId/conversations/$conversationId',
      params: { projectId, conversationId },
      search: true,
    } as never)
  const write = (next: string) => {
    setText(next)
    setFocusKey((key) => key + 1)
  }
  const send = async () => {
    const message = text.trim()
    if (!message || sending !== undefined) return
    setFault(undefined)
    setSending(message)
    setText('')
    const outcome = await sendMessage(projectId, { id, message })
    if (outcome.state === 'saved') await readAgain()
    else if (outcome.state === 'failed') {
      setText(message)
      setFault(outcome.fault.message)
    }
    setSending(undefined)
  }
  const on = useStable({
    onQuote: (said: string) => write(`${text ? `${text}\n` : ''}${said.replaceAll(/^/gm, '> ')}\n\n`),
    onVersion: open,
    async onAskAgain(number: number, message: string) {
      const outcome = await askAgain(projectId, { id, number, message })
      if (outcome.state === 'saved') open(outcome.answer.id)
      return outcome.state === 'saved'
    },
  })
  const versionsOf = useCallback(
    (number: number) => branches.filter((one) => one.number === number).map((one) => one.id),
    [branches],
  )
  const actions = useMemo(
    () => ({ projectId, conversationId: id, mayTalk, proposals, drawLink, versionsOf, ...on }),
    [projectId, id, mayTalk, proposals, drawLink, versionsOf, on],
  )
  const take = async (messageId: string) => {
    const outcome = await takeQueued(projectId, { id, messageId })
    if (outcome.state === 'saved' && outcome.answer) write(outcome.answer.text)
  }
  const isAnswering = active_turn.is_active
  return (
    <div className={css.chat}>
      <Transcript key={id} shown={shown} actions={actions} showsCalls={showsCalls}>
        {sending !== undefined && !isAnswering && (
          <div className={question.question}>
            <div className={`${question.bubble} ${question.pending}`}>
              <Markdown text={sending} />
            </div>
          </div>
        )}
        {queued.map((one) => (
          <div key={one.id} className={css.queued}>
            <span className={css.queuedText}>{one.text}</span>
            <span className={css.waits}>{isAnswering ? 'Waits for the answer' : 'Not sent'}</span>
            {mayTalk && (
              <button type="button" onClick={() => void take(one.id)}>
                Edit
              </button>
            )}
          </div>
        ))}
      </Transcript>
      <div className={css.foot}>
        {mayTalk ? (
          <ChatComposer
            text={text}
            onChange={setText}
            onSend={() => void send()}
            isBusy={sending !== undefined}
            isAnswering={isAnswering}
            onStop={isAnswering ? () => void stopAnswer(projectId, { id }) : undefined}
            fault={fault}
            focusKey={focusKey}
          >
            <ModelPick
              value={shown.model}
              recommended={models?.name}
              known={models?.known ?? []}
              onPick={(model) => void changeChat(projectId, shown, { model })}
            />
          </ChatComposer>
        ) : (
          <p className={css.readOnly}>{whyReadOnly(shown)}</p>
        )}
      </div>
    </div>
  )
}

const whyReadOnly = ({ origin, is_own, owner }: Shown) =>
  origin !== 'user'
    ? 'This is the record of a run. Start a new chat to talk about it.'
    : is_own
      ? 'Viewers read conversations. Ask an admin of the project for the role of an editor to talk to the agent.'
      : `${owner.name} shares this conversation with the project. Only ${owner.name} writes in it.`
