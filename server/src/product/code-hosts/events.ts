import { Type } from 'typebox'
import { ADMINS, defineEvents, event } from '../../kernel/event-kinds.ts'
import { Nullable, OneOf, Time } from '../../kernel/http/schema.ts'
import { CODE_HOST_KINDS, CODE_KINDS, PULL_REQUEST_STATES } from './code-host.ts'

const Host = { kind: OneOf(CODE_HOST_KINDS), name: Type.String({ examples: ['shop/checkout'] }) }

export const codeHostEvents = defineEvents(
  { name: 'code_host', title: 'Code hosts', seenBy: ADMINS },
  {
    created: event(Host, ({ name }) => `added the code host “${name}”`),
    updated: event(Host, ({ name }) => `changed the code host “${name}”`),
    deleted: event(Host, ({ name }) => `deleted the code host “${name}”`),
  },
)

const PULL_REQUEST = { draft: 'drafted', open: 'opened', merged: 'merged', closed: 'closed' }

export const codeEvents = defineEvents('work_order', {
  code_linked: event(
    {
      kind: OneOf(CODE_KINDS),
      repository: Type.String({ examples: ['shop/checkout'] }),
      reference: Type.String({ examples: ['17'] }),
      title: Type.String({ examples: ['Round refunds once'] }),
      url: Type.String({ examples: ['https://github.com/shop/checkout/pull/17'] }),
      author: Nullable(Type.String({ examples: ['ada'] })),
      state: Nullable(OneOf(PULL_REQUEST_STATES)),
      changed_at: Time,
    },
    ({ state, title, repository }) =>
      `${state ? `${PULL_REQUEST[state]} the pull request` : 'linked the commit'} “${title}” in ${repository} for {it}`,
  ),
})
