import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { durationOf, usageOf } from '../agents/cost.ts'
import { useNow } from '../agents/use-now.ts'
import { PHONE, useWidth, WITH_BESIDE } from '../lib/breakpoints.ts'
import { cx } from '../lib/cx.ts'
import { leaving } from '../lib/delete-with-undo.ts'
import { useMayWrite } from '../lib/may-write.ts'
import { formatCount } from '../lib/numbers.ts'
import { usePageTitle } from '../lib/page-title.ts'
import { remember, remembered } from '../lib/storage.ts'
import { useStore } from '../lib/store.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { IconChevronLeft, IconPlus } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { LoadFault } from '../ui/LoadFault.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { type Transcript, transcriptQuery } from './api.ts'
import css from './ConversationsPage.module.css'
import { Chat } from './chat/Chat.tsx'
import { ChatMenu } from './chat/ChatMenu.tsx'
import { NewChat } from './chat/NewChat.tsx'
import { ThingBeside } from './chat/ThingBeside.tsx'
import { ConversationList } from './list/ConversationList.tsx'
import { SearchField } from './list/SearchField.tsx'
import type { ConversationSearch } from './search.ts'
import { citedBy } from './things.ts'

const CALLS = 'chat-tool-activity'

/** Conversations with the agent: the list, and the one that is open. */
export function ConversationsPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const search = useSearch({ from: '/signed-in/p/$projectId/talks' })
  const { conversationId } = useParams({ strict: false })
  const navigate = useNavigate()
  const isPhone = useWidth(PHONE)
  const mayWrite = useMayWrite()
  const [showsCalls, setShowsCalls] = useState(() => remembered(CALLS) === 'on')
  const id = conversationId === 'new' ? undefined : conversationId
  const isGone = useStore(leaving).has(id ?? '')
  const { data, error, refetch } = useQuery({ ...transcriptQuery(project.id, id ?? ''), enabled: id !== undefined })
  const shown = id === undefined || isGone ? undefined : data
  usePageTitle(shown?.title ?? `Conversations · ${project.name}`)
  const open = useCallback(
    (to: string | undefined) =>
      void navigate({
        to: to ? '/p/$projectId/conversations/$conversationId' : '/p/$projectId/conversations',
        params: { projectId: project.id, conversationId: to },
        search: ({ q, origin }: ConversationSearch) => ({ q, origin }),
      } as never),
    [navigate, project.id],
  )
  const find = useCallback(
    (q: string) =>
      void navigate({
        to: '.',
        search: (old: ConversationSearch) => ({ ...old, q: q || undefined }),
        replace: true,
      } as never),
    [navigate],
  )
  const choose = (on: boolean) => {
    setShowsCalls(on)
    remember(CALLS, on ? 'on' : undefined)
  }
  const isOpen = isPhone && conversationId !== undefined
  const cited = search.beside ? citedBy(project.id, search.beside) : undefined
  const hasRoom = useWidth(WITH_BESIDE)
  const newChat = () => open('new')
  return (
    <>
      <TopBar
        path={
          isOpen ? (
            <span className={css.path}>
              <IconButton label="Back to conversations" onClick={() => open(undefined)}>
                <IconChevronLeft size={20} />
              </IconButton>
              <strong className={css.name}>{shown?.title ?? 'New chat'}</strong>
            </span>
          ) : (
            <span className={css.path}>
              Conversations
              {shown && (
                <>
                  {' / '}
                  <strong className={css.name} dir="auto">
                    {shown.title}
                  </strong>
                </>
              )}
            </span>
          )
        }
        {...(isOpen ? {} : { title: 'Conversations' })}
        tools={shown && <Facts shown={shown} isPhone={isPhone} showsCalls={showsCalls} onShowCalls={choose} />}
      >
        {shown && (!isPhone || isOpen) && (
          <ChatMenu
            projectId={project.id}
            shown={shown}
            mayChange={mayWrite && shown.is_own}
            {...(isPhone && { phone: { showsCalls, onShowCalls: choose } })}
            onGone={() => open(undefined)}
          />
        )}
        {mayWrite && !isPhone && (
          <Button icon={<IconPlus size={16} />} onClick={newChat}>
            New chat <Kbd keys="c" />
          </Button>
        )}
        {mayWrite && isPhone && !isOpen && (
          <IconButton label="New chat" onClick={newChat}>
            <IconPlus size={20} stroke={1.75} />
          </IconButton>
        )}
      </TopBar>
      <h1 className="sr-only">{shown?.title ?? 'Conversations'}</h1>
      <div className={css.page}>
        {!isOpen && (
          <div className={css.list}>
            <SearchField value={search.q ?? ''} onChange={find} />
            <ConversationList projectId={project.id} search={search} openId={id} onOpen={open} />
          </div>
        )}
        {(!isPhone || isOpen) &&
          (id === undefined ? (
            <NewChat key={search.about ?? ''} projectId={project.id} about={search.about} />
          ) : shown ? (
            <Chat key={id} projectId={project.id} shown={shown} beside={search.beside} showsCalls={showsCalls} />
          ) : (
            <div className={css.none}>
              {isGone && <p>This conversation was deleted.</p>}
              {error && !isGone && <LoadFault what="The conversation" error={error} onRetry={refetch} />}
            </div>
          ))}
        {cited && hasRoom && <ThingBeside projectId={project.id} cited={cited} />}
      </div>
    </>
  )
}

interface FactsProps {
  shown: Transcript
  isPhone: boolean
  showsCalls: boolean
  onShowCalls(on: boolean): void
}

/** Whether the agent works, what the conversation has used, and whether calls of tools are shown. */
function Facts({ shown: { active_turn, usage }, isPhone, showsCalls, onShowCalls }: FactsProps) {
  const { started_at } = active_turn
  const now = useNow(started_at !== null)
  const tokens = usage.input_tokens + usage.output_tokens
  if (isPhone) return null
  return (
    <>
      {started_at !== null && (
        <span className={css.active} role="status">
          <span className={css.dot} aria-hidden="true" />
          <span aria-hidden="true">Turn active · {durationOf(Math.max(1_000, now - Date.parse(started_at)))}</span>
          <span className="sr-only">The agent is answering</span>
        </span>
      )}
      {tokens > 0 && (
        <span
          className={css.usage}
          title={`${formatCount(usage.input_tokens)} tokens in, ${formatCount(usage.output_tokens)} out`}
        >
          {usageOf(usage.cost, tokens)}
        </span>
      )}
      <Switch checked={showsCalls} onChange={onShowCalls} className={cx(css.switch)}>
        Tool activity
      </Switch>
    </>
  )
}
