import type { ResourceType } from '../../links/index.ts'

export interface DocumentRef {
  kind: ResourceType
  id: string
}

const NAME = /^([a-z_]+)\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** `requirements_document/0190c6a0-…`: one spelling for each document, or it would be open twice. */
export function parseName(name: string): DocumentRef | undefined {
  const [, kind, id] = NAME.exec(name) ?? []
  return kind && id ? { kind: kind as ResourceType, id } : undefined
}
