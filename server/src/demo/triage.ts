import { linkItem, setFeedbackItemStatus } from '../product/feedback/index.ts'
import type { Item } from './feedback-items.ts'
import { planRun } from './runs.ts'
import type { World } from './world.ts'

/** Reports whose run failed, so that a person sorted them. */
export const FAILED: Record<number, string> = {
  141: 'The database did not answer within 5 seconds. Nothing was changed; a retry is safe.',
}

/** The run of Feedback triage that a report starts. It links what it is sure of and leaves the rest to a person. */
export function planTriage(world: World, item: Item, isSure: boolean): void {
  const { ids } = world
  const error = FAILED[item.number]
  const at = item.linkedAt === undefined || item.isOpen ? item.at + 20_000 : item.linkedAt
  const link = async (ctx: Parameters<typeof linkItem>[0]) => {
    const id = ids.get(`feedback ${item.number}`)
    if (item.theme === undefined) return setFeedbackItemStatus(ctx, id, 'processed')
    return linkItem(ctx, ids.get(`theme ${item.theme}`), id, item.quote)
  }
  planRun(world, {
    automation: 'Feedback triage',
    owner: 'Ada',
    trigger: item.linkedAt === undefined || item.isOpen ? 'feedback_submitted' : 'manual',
    at,
    seconds: 1 + (item.number % 3),
    status: error ? 'failed' : 'succeeded',
    error,
    model: null,
    subject: `feedback ${item.number}`,
    act: isSure ? link : undefined,
    talk: item.isOpen ? talkAbout(item) : undefined,
  })
}

function talkAbout({ number, content, quote }: Item) {
  const [title = ''] = content.split('\n')
  const short = /^(.+?)(?: (?:when|and|before|on|my|but)\b|[,.?](?= |$)|$)/.exec(title)![1]!
  return {
    title: `FB-${number} ${short}`,
    prompt: `Sort FB-${number} into the theme it belongs to.`,
    events: [{ kind: 'assistant' as const, text: quote, isFinal: true }],
  }
}
