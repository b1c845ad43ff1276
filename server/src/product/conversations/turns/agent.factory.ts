import type { Workspace } from '../../../../test/harness.ts'
import { slices } from '../../../app.ts'
import { DEFAULT_SETTINGS, type Settings, sliceSettingsFrom } from '../../../kernel/settings.ts'
import { wire } from '../../../kernel/slice.ts'
import { type AgentOutcome, type AgentRequest, runAgent } from './agent.ts'

export const settingsWith = ({ env = {}, ...some }: SomeSettings): Settings => ({
  ...DEFAULT_SETTINGS,
  of: sliceSettingsFrom(env),
  ...some,
})

/** `env` is what an operator sets for the slices. */
export interface SomeSettings extends Partial<Omit<Settings, 'of'>> {
  env?: NodeJS.ProcessEnv
}

/** Runs an agent for a member, as a background job would. */
export function runFor(
  workspace: Workspace,
  project: { id: string },
  owner: { userId: string },
  settings: SomeSettings,
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
