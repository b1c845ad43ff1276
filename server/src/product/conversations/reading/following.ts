import type { Ctx } from '../../../kernel/context.ts'
import type { EventStream } from '../../../kernel/http/answers/event-stream.ts'
import { findMemberActor } from '../../projects/index.ts'
import { presentActiveTurn, presentMessage } from '../conversation.ts'
import { endAbandonedTurn } from '../jobs.ts'
import { listEventsAfter, MAX_EVENTS_AFTER } from '../queries.ts'
import { listen } from './broadcast.ts'
import { loadReadableConversation } from './reading.ts'

/** How often turns on other nodes are checked for new commits. */
const LOOK_EVERY_MS = 500

/**
 * Streams a conversation: messages when committed, words as they are said. It ends when no turn is running, or when the
 * reader is no longer a member or may no longer read it.
 */
export async function followConversation(ctx: Ctx, id: string, after: number, stream: EventStream): Promise<void> {
  let seen = after
  let changed = () => undefined as unknown
  const words = holdWords(stream)
  const { saying, leave } = listen(id, {
    onText: words.say,
    onChange: () => {
      words.commit()
      changed()
    },
  })
  words.say(saying)
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
      const conversation = await loadReadableConversation(ctx, id)
      const { turnId, turnStartedAt } = conversation
      // Its node is gone. Whoever looks should not have to wait for the job that ends such turns.
      if (turnId !== null && turnStartedAt === null)
        await endAbandonedTurn(ctx, { projectId: ctx.actor.projectId, conversationId: id, turnId })
      seen = await sendEvents(ctx, id, seen, stream)
      words.release(commits)
      // Checked before reading the events, so that they include the last ones of a turn.
      if (turnStartedAt === null) {
        stream.send('end', presentActiveTurn(conversation))
        return
      }
      await news
    }
  } finally {
    leave()
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
async function sendEvents(ctx: Ctx, id: string, after: number, stream: EventStream): Promise<number> {
  let seen = after
  while (!stream.signal.aborted) {
    const events = await listEventsAfter(ctx.db, ctx.actor.projectId, id, seen)
    for (const event of events) stream.send('message', presentMessage(event), event.number)
    seen = events.at(-1)?.number ?? seen
    if (events.length < MAX_EVENTS_AFTER) break
  }
  return seen
}
