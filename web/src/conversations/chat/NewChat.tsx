import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ModelPick } from '../../agents/ModelPick.tsx'
import { useDraftText } from '../../lib/drafts.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconMessages, IconRobot } from '../../ui/icons.ts'
import { Switch } from '../../ui/Switch.tsx'
import { modelQuery } from '../api.ts'
import { startChat } from '../edits.ts'
import chat from './Chat.module.css'
import { ChatComposer } from './ChatComposer.tsx'
import css from './NewChat.module.css'

const ASKS = 'chat-asks-first'
const LOCAL_MODEL = 'MODEL_BASE_URL=http://127.0.0.1:11434/v1 MODEL_NAME=qwen3 npm start'

/** A conversation that has not begun. */
export function NewChat({ projectId, about }: { projectId: string; about: string | undefined }) {
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const models = useQuery(modelQuery(projectId)).data
  const [model, setModel] = useState<string | null>(null)
  const [text, setText] = useDraftText(
    about ? `new conversation ${about}` : 'new conversation',
    about ? `${about} ` : '',
  )
  const [asksFirst, setAsksFirst] = useState(() => remembered(ASKS) !== 'off')
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const send = async () => {
    const message = text.trim()
    if (!message || isBusy) return
    setBusy(true)
    setFault(undefined)
    const outcome = await startChat(projectId, { message, asksFirst, model })
    setBusy(false)
    if (outcome.state === 'failed') return setFault(outcome.fault.message)
    if (outcome.state !== 'saved') return
    setText('')
    const conversationId = outcome.answer.id
    await navigate({
      to: '/p/$projectId/conversations/$conversationId',
      params: { projectId, conversationId },
      search: (old: Record<string, unknown>) => ({ ...old, about: undefined }),
    } as never)
  }
  const choose = (next: boolean) => {
    setAsksFirst(next)
    remember(ASKS, next ? undefined : 'off')
  }
  if (models && !models.is_configured)
    return (
      <div className={css.middle}>
        <EmptyState
          icon={<IconRobot size={22} stroke={1.5} />}
          title="No model is set up"
          command={LOCAL_MODEL}
          action={
            <Link to="/p/$projectId/settings/models" params={{ projectId }}>
              Models and budgets
            </Link>
          }
        >
          An admin sets an endpoint for the project. For all projects, the operator sets MODEL_BASE_URL and MODEL_NAME,
          or ANTHROPIC_API_KEY, and starts the server again. Any server with the OpenAI protocol works, also a local one
          such as Ollama.
        </EmptyState>
      </div>
    )
  if (!mayWrite)
    return (
      <div className={css.middle}>
        <EmptyState icon={<IconMessages size={22} stroke={1.5} />} title="Conversations">
          Here are your conversations with the agent and those that others share. As a viewer you read them.
        </EmptyState>
      </div>
    )
  return (
    <div className={chat.chat}>
      <div className={css.middle}>
        <EmptyState icon={<IconMessages size={22} stroke={1.5} />} title="Ask about the project">
          The agent reads requirements, blueprints, work orders, feedback and files, with your rights. Type @ to name
          something.
        </EmptyState>
      </div>
      <div className={chat.foot}>
        <ChatComposer
          text={text}
          onChange={setText}
          onSend={() => void send()}
          isBusy={isBusy}
          isAnswering={false}
          fault={fault}
          focusKey={0}
        >
          <ModelPick value={model} recommended={models?.name} known={models?.known ?? []} onPick={setModel} />
          <Switch checked={asksFirst} onChange={choose} title="The agent proposes changes, and you accept them here">
            Ask before changes
          </Switch>
        </ChatComposer>
      </div>
    </div>
  )
}
