import { type Static, Type } from 'typebox'
import type { Ctx } from '../context.ts'
import { Nullable, named, Uuid } from './schema.ts'

const Via = named(
  'CreatedVia',
  Type.Object({
    automation_id: Uuid,
    automation_name: Type.String({ examples: ['Morning report'] }),
    run_id: Uuid,
  }),
)
export type Via = Static<typeof Via>

/** The automation whose agent did it, beside the person it acts for. Null if none did. */
export const CreatedVia = Nullable(Via)

/** The same for resources of the specification, which have the field only if an agent made them. */
export const createdVia = { created_via: Type.Optional(Via) }

export const presentVia = (via: Via | null) => (via === null ? {} : { created_via: via })

export const viaOf = ({ agent }: Pick<Ctx, 'agent'>): Via | null =>
  agent?.via
    ? { automation_id: agent.via.automationId, automation_name: agent.via.automationName, run_id: agent.via.runId }
    : null
