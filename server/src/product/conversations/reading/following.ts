import type { Ctx } from '../../../kernel/context.ts'
import type { EventStream } from '../../../kernel/http/answers/event-stream.ts'
import { findMemberActor } from '../../projects/index.ts'
import { type ConversationEvent, presentActiveTurn, presentMessage } from '../conversation.ts'
import { listEventsAfter, MAX_EVENTS_AFTER } from '../queries.ts'
import { listen } from './broadcast.ts'
import { loadReadableConversation } from './reading.ts'

/** How often turns on other nodes are checked for new commits. */
const LOOK_EVERY_MS = 500

export interface Followed {
  /** Null as long as nothing was said. */
  conversationId: string | null
  /** What is sent when it is over. Undefined while it goes on. */
  end: object | undefined
  present(event: ConversationEvent): object
  /** Sent when it differs from the one before. */
  status?: string
}

/** Streams a conversation until no turn is running. A turn whose server has stopped goes on elsewhere. */
export const followConversation = (ctx: Ctx, id: string, after: number, stream: EventStream) =>
  followAgent(ctx, after, stream, async () => {
    const conversation = await loadReadableConversation(ctx, id)
    const end = conversation.turnId === null ? presentActiveTurn(conversation) : undefined
    return { conversationId: id, end, present: presentMessage }
  })

/**
 * Streams what an agent does: messages when committed, words as they are said. It ends when `look` says so, or when the
 * reader is no longer a member or may no longer read it.
 */
export async function followAgent(
  ctx: Ctx,
  after: number,
  stream: EventStream,
  look: () => Promise<Followed>,
): Promise<void> {
  let seen = after
  let changed = () => undefined as unknown
  const words = holdWords(stream)
  let heard: ReturnType<typeof listen> | undefined
  let told: string | undefined
  const hear = (id: string) => {
    heard ??= listen(id, {
      onText: words.say,
      onChange: () => {
        words.commit()
        changed()
      },
    })
    return heard
  }
  try {
    while (!stream.signal.aborted) {
      const news = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_EVERY_MS)
        changed = () => {
          clearTimeout(timer)
          resolve()
        }
        stream.signal.addEventListener('abort', changed as () => void, { once: true })
      })
      const commits = words.commits()
      if (!(await isStillMember(ctx))) return
      // Looked before reading the events, so that they include the last ones of a turn.
      const { conversationId, end, present, status } = await look()
      if (status !== told) stream.send('status', { status })
      told = status
      if (conversationId !== null) {
        if (!heard) words.say(hear(conversationId).saying)
        seen = await sendEvents(ctx, conversationId, seen, stream, present)
      }
      words.release(commits)
      if (end) {
        stream.send('end', end)
        return
      }
      await news
    }
  } finally {
    heard?.leave()
    stream.close()
  }
}

/**
 * Holds words back until the messages before them were sent. A reader drops the words that it has when a message comes, so
 * they must not overtake it.
 */
function holdWords(stream: EventStream) {
  let held = ''
  let isHolding = true
  let commits = 0
  return {
    commits: () => commits,
    say(text: string) {
      if (isHolding) held += text
      else stream.send('text', { text })
    },
    commit() {
      commits++
      isHolding = true
      held = ''
    },
    /** Everything was sent that was committed by then. */
    release(byThen: number) {
      if (byThen !== commits) return
      isHolding = false
      if (held !== '') stream.send('text', { text: held })
      held = ''
    },
  }
}

const isStillMember = async ({ db, actor }: Ctx) =>
  (await findMemberActor(db, actor.projectId, actor.userId!, actor.origin)) !== undefined

/** Sends everything that was committed since. Returns the number of the last event. */
async function sendEvents(
  ctx: Ctx,
  id: string,
  after: number,
  stream: EventStream,
  present: Followed['present'],
): Promise<number> {
  let seen = after
  while (!stream.signal.aborted) {
    const events = await listEventsAfter(ctx.db, ctx.actor.projectId, id, seen)
    for (const event of events) stream.send('message', present(event), event.number)
    seen = events.at(-1)?.number ?? seen
    if (events.length < MAX_EVENTS_AFTER) break
  }
  return seen
}
