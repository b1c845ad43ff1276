import type { ProjectRole } from '../../kernel/context.ts'

export const PROJECT_ROLES = ['admin', 'editor', 'viewer'] as const satisfies ProjectRole[]

export interface Project {
  id: string
  name: string
  organizationId: string
}
