import type { ResourceType } from '../links/index.ts'

export interface DocumentRef {
  kind: ResourceType
  id: string
}

const NAME = /^([a-z_]+)\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** Parses `requirements_document/0190c6a0-…`. Accepts only one spelling, or a document could be open twice. */
export function parseName(name: string): DocumentRef | undefined {
  const [, kind, id] = NAME.exec(name) ?? []
  return kind && id ? { kind: kind as ResourceType, id } : undefined
}
