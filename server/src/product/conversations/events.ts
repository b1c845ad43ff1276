import { Type } from 'typebox'
import { defineEvents, event } from '../../kernel/event-kinds.ts'
import { Uuid } from '../../kernel/http/schema.ts'

const Talk = { owner_id: Uuid, shared: Type.Boolean() }

export const conversationEvents = defineEvents(
  {
    name: 'agent_conversation',
    title: 'Conversations',
    seenBy: {
      who: 'members if it is shared, else its owner',
      may: ({ userId }, { payload }) => payload.shared === true || payload.owner_id === userId,
    },
    isPrivate: true,
  },
  {
    created: event(Talk, 'began a conversation'),
    updated: event(Talk, 'changed a conversation'),
    deleted: event(Talk, 'deleted a conversation'),
    turn_began: event(Talk, 'said something in a conversation'),
    turn_ended: event(Talk, 'received an answer in a conversation'),
  },
)

const Budget = {
  title: Type.String({ examples: ['Nightly review'] }),
  reason: Type.String({ examples: ['The budget of this automation is used up.'] }),
}

const defineBudgetEvents = (group: 'project' | 'automation') =>
  defineEvents(group, {
    paused: event(Budget, ({ reason }) => `paused {it}: ${reason}`),
    budget_low: event(Budget, ({ reason }) => `warns about {it}: ${reason}`),
  })

export const budgetEvents = { project: defineBudgetEvents('project'), automation: defineBudgetEvents('automation') }
