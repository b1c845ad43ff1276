import type { NewAutomation } from './edits.ts'
import { DOMAINS, type Domain, type Kit, overridesOf, RIGHTS, type Right, type TriggerType } from './words.ts'

export interface Template {
  id: string
  name: string
  /** What it does, in a sentence. */
  about: string
  trigger: TriggerType
  when: string
  values: Pick<NewAutomation, 'name' | 'user_prompt' | 'triggers' | 'tool_kit' | 'approval'>
}

const kit = (rights: Partial<Record<Domain, Right[]>>) => {
  const of = (domain: Domain) =>
    Object.fromEntries(
      RIGHTS.map((right) => [right, right === 'view' ? domain in rights : !!rights[domain]?.includes(right)]),
    )
  return { permission_overrides: overridesOf(Object.fromEntries(DOMAINS.map((one) => [one, of(one)])) as Kit) }
}
const at = (cron_expression: string) => ({ trigger_type: 'schedule' as const, config: { cron_expression } })

/** Automations that work as they are. All of them ask a person before they change anything. */
export const TEMPLATES: readonly Template[] = [
  {
    id: 'blueprints-true-to-code',
    name: 'Keep blueprints true to the code',
    about: 'Compares every push with the blueprints and suggests edits where they disagree.',
    trigger: 'code_push',
    when: 'Code push',
    values: {
      name: 'Blueprint drift watch',
      user_prompt:
        'Read the commits of this push and search the blueprints for what they touch. Where a blueprint says something that is no longer true, suggest an edit and say which commit caused it. If the code looks wrong rather than the blueprint, create a work order that says so and names both. Change nothing if all is well.',
      triggers: [{ trigger_type: 'code_push' }],
      tool_kit: kit({ blueprints: ['edit'], requirements: [], work_orders: ['create'] }),
      approval: 'required',
    },
  },
  {
    id: 'weekly-digest',
    name: 'Weekly digest',
    about: 'What is new, what grew and what went quiet in feedback, on one page.',
    trigger: 'schedule',
    when: 'Friday 09:00',
    values: {
      name: 'Weekly theme digest',
      user_prompt:
        'Read the feedback themes and the feedback of the last seven days. Create one document in the knowledge base, named "Digest" and today’s date, with three lists: themes that are new, themes that grew, and themes that went quiet. One line each, with the code of the theme and how many people asked.',
      triggers: [at('0 9 * * 5')],
      tool_kit: kit({ feedback: [], artifacts: ['create'] }),
      approval: 'required',
    },
  },
  {
    id: 'release-notes',
    name: 'Release notes',
    about: 'One line for each completed work order that customers notice.',
    trigger: 'schedule',
    when: 'Monday 09:00',
    values: {
      name: 'Release notes',
      user_prompt:
        'List the work orders that were completed in the last seven days. For each that a customer would notice, write one line in plain words: what is better now, not how it was built. Create a document in the knowledge base named "Release notes" and today’s date with these lines. If there are none, create nothing.',
      triggers: [at('0 9 * * 1')],
      tool_kit: kit({ work_orders: [], requirements: [], artifacts: ['create'] }),
      approval: 'required',
    },
  },
  {
    id: 'nudge-stale-work',
    name: 'Nudge stale work',
    about: 'Asks once about work in progress that has not changed for five days.',
    trigger: 'schedule',
    when: 'Weekdays 09:00',
    values: {
      name: 'Nudge stale work orders',
      user_prompt:
        'Find the work orders in progress or in review that nobody has changed or commented on for five days. Comment on each: ask what is in the way, and mention who is assigned. Do not ask twice: leave out those whose last comment is such a question.',
      triggers: [at('0 9 * * 1-5')],
      tool_kit: kit({ work_orders: ['edit'] }),
      approval: 'required',
    },
  },
  {
    id: 'acceptance-criteria',
    name: 'Acceptance criteria',
    about: 'Checks that open work orders still say what changed requirements ask for.',
    trigger: 'requirements_updated',
    when: 'Requirements updated',
    values: {
      name: 'Acceptance criteria',
      user_prompt:
        'A requirement was changed. Compare its last two versions. Find the open work orders that are connected to it. Where a description no longer fits what the requirement asks for, update the description: keep what still holds, and add or correct the acceptance criteria. Change nothing if they still fit.',
      triggers: [{ trigger_type: 'requirements_updated' }],
      tool_kit: kit({ requirements: [], blueprints: [], work_orders: ['edit'] }),
      approval: 'required',
    },
  },
]

export const findTemplate = (id: string | undefined) => TEMPLATES.find((one) => one.id === id)
