import { Type } from 'typebox'
import { Nullable, named, OneOf, Text, Uuid } from '../../kernel/http/schema.ts'

export const RESOURCE_TYPES = [
  'requirements_document',
  'blueprint',
  'work_order',
  'theme',
  'feedback_item',
  'artifact',
] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

export const ContextLink = named('ContextLink', Type.Object({ resourceType: OneOf(RESOURCE_TYPES), resourceId: Uuid }))

/** A link in a response. The last two fields appear only on request. */
export const ShownContextLink = named(
  'ConnectedContext',
  Type.Object({
    resourceType: OneOf(RESOURCE_TYPES),
    resourceId: Uuid,
    title: Type.Optional(Nullable(Text(500, { examples: ['Sign in with a code'] }))),
    markdown_content: Type.Optional(Nullable(Type.String({ examples: ['# Sign in with a code\n'] }))),
  }),
)

export interface Link {
  resourceType: ResourceType
  resourceId: string
}
