export interface Project {
  id: string
  name: string
  organizationId: string
}
