import type { Static } from 'typebox'
import { type Db, sendTogether } from '../kernel/database/index.ts'
import { checkContext, findResources, type Link } from '../links/index.ts'
import { type MemberRef, membersByIdOrEmail } from '../projects/index.ts'
import { findLabels } from './labels.ts'
import { findPhases } from './phases.ts'
import type { WorkOrderValues } from './schema.ts'
import type { Label, Person, Phase } from './work-order.ts'

export type Values = Static<typeof WorkOrderValues>

/** Values with everything they refer to found. Undefined means "not mentioned", null means "clear it". */
export interface Resolved {
  assignee: Person | null | undefined
  phase: Phase | null | undefined
  labels: Label[] | undefined
  links: Link[] | undefined
}

/** The resolved references, or what is wrong with them in words. */
export type Resolve = (values: Values, ownerId?: string) => Resolved | { fault: string }

/** Finds what many sets of values refer to, with one query for each kind of thing, all sent at once. */
export async function findReferences(db: Db, projectId: string, all: Values[]): Promise<Resolve> {
  const memberRefs = all.map(memberRef).filter((ref) => ref !== null && ref !== undefined)
  const phaseIds = all.flatMap((one) => one.phase_id ?? [])
  const phaseNumbers = all.flatMap((one) => one.phase_number ?? [])
  const labelIds = all.flatMap((one) => one.label_ids ?? [])
  const linkedIds = all.flatMap((one) => one.connectedContext?.map((link) => link.resourceId) ?? [])

  const [member, phases = [], labels = [], resources = new Map()] = await sendTogether([
    memberRefs.length > 0 ? membersByIdOrEmail(db, projectId, memberRefs) : undefined,
    phaseIds.length + phaseNumbers.length > 0 ? findPhases(db, projectId, phaseIds, phaseNumbers) : undefined,
    labelIds.length > 0 ? findLabels(db, projectId, labelIds) : undefined,
    linkedIds.length > 0 ? findResources(db, projectId, linkedIds) : undefined,
  ])
  const labelById = new Map(labels.map((label) => [label.id, label]))

  const phaseOf = (values: Values): Phase | null | undefined => {
    if (values.phase_id) return phases.find((phase) => phase.id === values.phase_id?.toLowerCase())
    return phases.find((phase) => phase.phaseNumber === values.phase_number)
  }

  return (values, ownerId) => {
    const resolved: Resolved = { assignee: undefined, phase: undefined, labels: undefined, links: undefined }

    const ref = memberRef(values)
    if (ref !== undefined) resolved.assignee = ref && (member?.(ref) ?? null)
    if (ref && !resolved.assignee)
      return { fault: `No member of this project is "${'id' in ref ? ref.id : ref.email}".` }

    const phaseValue = values.phase_id ?? values.phase_number
    if (values.phase_id === null || values.phase_number === null) resolved.phase = null
    if (phaseValue != null) {
      resolved.phase = phaseOf(values)
      if (!resolved.phase) return { fault: `There is no phase "${phaseValue}" in this project.` }
    }

    if (values.label_ids) {
      const missing = values.label_ids.find((id) => !labelById.has(id.toLowerCase()))
      if (missing) return { fault: `There is no label "${missing}" in this project.` }
      resolved.labels = [...new Set(values.label_ids.map((id) => labelById.get(id.toLowerCase())!))]
    }
    if (values.connectedContext) {
      const [wrong] = checkContext(values.connectedContext, resources, ownerId)
      if (wrong) return { fault: `connectedContext[${wrong.index}]: ${wrong.detail}` }
      resolved.links = distinctLinks(values.connectedContext)
    }
    return resolved
  }
}

function memberRef(values: Values): MemberRef | null | undefined {
  if (values.assignee_id) return { id: values.assignee_id }
  if (values.assignee_email) return { email: values.assignee_email }
  return values.assignee_id === null || values.assignee_email === null ? null : undefined
}

function distinctLinks(links: Link[]): Link[] {
  const byId = new Map(links.map(({ resourceType, resourceId }) => [resourceId.toLowerCase(), resourceType]))
  return [...byId].map(([resourceId, resourceType]) => ({ resourceType, resourceId }))
}
