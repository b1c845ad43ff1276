import { Type } from 'typebox'
import { defineEvents, event, Fields, MEMBERS, saysFields } from '../../kernel/event-kinds.ts'
import { Nullable, OneOf, Text, Uuid } from '../../kernel/http/schema.ts'
import { RUN_STATUSES, TRIGGER_TYPES } from './automation.ts'

const Name = { name: Type.String({ examples: ['Nightly review'] }) }
const Automation = { automation_id: Uuid }

export const automationEvents = defineEvents(
  { name: 'automation', title: 'Automations', seenBy: MEMBERS },
  {
    created: event(Name, 'made {it}'),
    updated: event(
      { fields: Fields, reason: Type.Optional(Type.String({ description: 'Why Slipway switched it off.' })) },
      ({ fields, reason }) =>
        reason === undefined
          ? saysFields({
              enabled: 'the switch',
              user_prompt: 'the prompt',
              tool_kit: 'the tools',
              integration_grants: 'the integrations',
            })({ fields })
          : `switched {it} off: ${reason}`,
    ),
    deleted: event(Name, 'deleted {it}'),
    restored: event(Name, 'brought {it} back'),
  },
)

const ENDS: Record<string, string> = {
  succeeded: 'finished {it}',
  failed: 'failed in {it}',
  cancelled: 'cancelled {it}',
}

export const runEvents = defineEvents(
  { name: 'automation_run', title: 'Runs of automations', seenBy: MEMBERS },
  {
    scheduled: event({ ...Automation, trigger_type: OneOf(TRIGGER_TYPES) }, 'scheduled {it}'),
    completed: event({ ...Automation, status: OneOf(RUN_STATUSES) }, ({ status }) => ENDS[status]),
    reviewed: event(Automation, 'decided about what {it} proposes'),
    chain_stopped: event({ ...Automation, chain_id: Uuid }, 'stopped everything that {it} led to'),
  },
)

const Commit = Type.Object({
  id: Type.String({ examples: ['9c1185a'] }),
  message: Type.String({ examples: ['Round refunds once (WO-41)'] }),
  author: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
  paths: Type.Optional(Type.Array(Text(4_000))),
})

export const codeEvents = defineEvents(
  { name: 'code', title: 'Code pushes', subjectType: 'code_push', seenBy: MEMBERS },
  {
    pushed: event(
      {
        repository: Type.String({ examples: ['shop/checkout'] }),
        ref: Type.String({ examples: ['refs/heads/main'] }),
        commit_id: Type.String({ examples: ['9c1185a5c5e9fc54612808977ee8f548b2258d31'] }),
        pushed_by: Nullable(Type.String({ examples: ['ada'] })),
        commits: Type.Array(Commit),
      },
      ({ repository, ref }) => `pushed to ${ref.replace(/^refs\/heads\//, '')} of ${repository}`,
    ),
  },
)
