import type { Workspace } from '../../../test/harness.ts'
import { slices } from '../../app.ts'
import type { Settings } from '../../kernel/settings.ts'
import { DEFAULT_SETTINGS } from '../../kernel/settings.ts'
import { wire } from '../../kernel/slice.ts'
import { type AgentOutcome, type AgentRequest, runAgent } from './agent.ts'

export const settingsWith = (some: Partial<Settings>): Settings => ({ ...DEFAULT_SETTINGS, ...some })

/** Runs an agent for someone, as a background job would. */
export function runFor(
  workspace: Workspace,
  project: { id: string },
  owner: { userId: string },
  settings: Partial<Settings>,
  request: Partial<AgentRequest> = {},
): Promise<AgentOutcome> {
  return runAgent(
    { ...workspace.deps, wiring: wire(slices, settingsWith(settings)) },
    {
      projectId: project.id,
      ownerId: owner.userId,
      origin: 'user',
      title: 'A title',
      prompt: 'Do it.',
      toolKit: {},
      integrationIds: [],
      model: null,
      ...request,
    },
  )
}
