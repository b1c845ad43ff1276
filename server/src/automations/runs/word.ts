import { recordWork, scheduleConversation } from '../../conversations/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import type { Automation } from '../automation.ts'
import { findAutomation } from '../queries.ts'
import { promptFor } from './cause.ts'
import type { Run } from './run.ts'

type Told = Pick<Run, 'id' | 'triggerType' | 'scheduledFor' | 'subject' | 'cause'>
type Telling = Pick<Automation, 'id' | 'name' | 'userPrompt'>

const talkOf = (projectId: string, automation: Telling, run: Told) => ({
  projectId,
  automation: { id: automation.id, name: automation.name, runId: run.id },
  title: automation.name,
  prompt: promptFor(automation, run),
})

/** Every run has a conversation from its beginning, in which its owner reads how it goes. */
export async function openTalk(deps: JobDeps, projectId: string, ownerId: string, automation: Telling, run: Told) {
  const { conversationId } = await scheduleConversation(deps, { ...talkOf(projectId, automation, run), ownerId })
  return conversationId
}

/** Says in the conversation of a run how it ended, where no agent does; null when there is no owner who could read it. */
export async function leaveWord(
  deps: JobDeps,
  projectId: string,
  run: Told & Pick<Run, 'automationId' | 'conversationId'>,
  reply: string,
  status: 'succeeded' | 'failed' | 'cancelled',
): Promise<string | null> {
  const automation = await findAutomation(deps.db, projectId, run.automationId)
  if (!automation?.owner) return run.conversationId
  const talk = { ...talkOf(projectId, automation, run), ownerId: automation.owner.id }
  const known = run.conversationId === null ? {} : { conversationId: run.conversationId }
  try {
    return (await recordWork(deps, { ...talk, ...known, reply, status })).conversationId
  } catch (err) {
    // Its agent has only just fallen silent: the conversation itself notices and says so.
    if (err instanceof AppError) return run.conversationId
    throw err
  }
}
