import { AppError } from '../../../kernel/errors.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { recordWork, scheduleConversation } from '../../conversations/index.ts'
import type { Automation } from '../automation.ts'
import { findAutomation } from '../queries.ts'
import { promptFor } from './cause.ts'
import type { Run } from './run.ts'

type RunCause = Pick<Run, 'id' | 'triggerType' | 'scheduledFor' | 'subject' | 'cause' | 'input'>
type PromptSource = Pick<Automation, 'id' | 'name' | 'userPrompt'>

const talkOf = (projectId: string, automation: PromptSource, run: RunCause) => ({
  projectId,
  automation: { id: automation.id, name: automation.name, runId: run.id },
  title: automation.name,
  prompt: promptFor(automation, run),
})

/** Opens the conversation of a run, in which its owner can follow it from the start. */
export async function openRunConversation(
  deps: JobDeps,
  projectId: string,
  ownerId: string,
  automation: PromptSource,
  run: RunCause,
) {
  const { conversationId } = await scheduleConversation(deps, { ...talkOf(projectId, automation, run), ownerId })
  return conversationId
}

/** Starts a conversation that tells the owner something about an automation. */
export async function tellOwner(
  deps: JobDeps,
  projectId: string,
  automation: Pick<Automation, 'id' | 'name' | 'owner'>,
  text: string,
): Promise<void> {
  if (!automation.owner) return
  const about = { id: automation.id, name: automation.name }
  const talk = { projectId, ownerId: automation.owner.id, automation: about, title: `${automation.name}: needs you` }
  await recordWork(deps, {
    ...talk,
    prompt: `Tell me when "${automation.name}" needs me.`,
    reply: text,
    status: 'failed',
  })
}

/** Tells the owner in the run's conversation how it ended, where no agent does. Null if there is no owner. */
export async function explainEnd(
  deps: JobDeps,
  projectId: string,
  run: RunCause & Pick<Run, 'automationId' | 'conversationId'>,
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
    // Its agent has only just stopped. The conversation notices that itself and says so.
    if (err instanceof AppError) return run.conversationId
    throw err
  }
}
