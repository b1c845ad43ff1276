import { type Db, readInOne, type Statement } from '../../kernel/database/index.ts'
import { checkContext, findResources, type Link, type ResourceType } from '../links/index.ts'
import { type MemberRef, membersByIdOrEmail } from '../projects/index.ts'
import { findLabels } from './planning/label-queries.ts'
import { findPhases } from './planning/phase-queries.ts'
import type { Fault, Label, Person, Phase, PhaseRef, WorkOrderValues } from './work-order.ts'

/** What values refer to. Undefined leaves a value unchanged, null clears it. */
export interface Resolved {
  assignee: Person | null | undefined
  phase: Phase | null | undefined
  labels: Label[] | undefined
  links: Link[] | undefined
}

export type Resolve = (values: WorkOrderValues, ownerId?: string) => Resolved | Fault

/** Finds what many sets of values refer to, and keeps members and links from being removed until the transaction ends. */
export function findReferences(db: Db, projectId: string, all: WorkOrderValues[]): Statement<Resolve> {
  const memberRefs = all.flatMap((one) => one.assignee ?? [])
  const phaseIds = all.flatMap(({ phase }) => (phase && 'id' in phase ? [phase.id] : []))
  const phaseNumbers = all.flatMap(({ phase }) => (phase && 'number' in phase ? [phase.number] : []))
  const labelIds = all.flatMap((one) => one.labelIds ?? [])
  const linkedIds = all.flatMap((one) => one.context?.map((link) => link.resourceId) ?? [])

  return readInOne(db, [
    membersByIdOrEmail(db, projectId, memberRefs),
    findPhases(db, projectId, phaseIds, phaseNumbers),
    findLabels(db, projectId, labelIds),
    findResources(db, projectId, linkedIds),
  ]).map((found) => resolver(...found))
}

function resolver(
  memberOf: (ref: MemberRef) => Person | undefined,
  phases: Phase[],
  labels: Label[],
  resources: Map<string, ResourceType>,
): Resolve {
  const labelById = new Map(labels.map((label) => [label.id, label]))

  const findPhase = (ref: PhaseRef) =>
    phases.find((phase) => ('id' in ref ? phase.id === ref.id.toLowerCase() : phase.phaseNumber === ref.number))

  return ({ assignee, phase, labelIds, context }, ownerId) => {
    const resolved: Resolved = { assignee: undefined, phase: undefined, labels: undefined, links: undefined }
    if (assignee !== undefined) {
      resolved.assignee = assignee && (memberOf(assignee) ?? null)
      if (assignee && !resolved.assignee)
        return { fault: `No member of this project is "${'id' in assignee ? assignee.id : assignee.email}".` }
    }
    if (phase !== undefined) {
      resolved.phase = phase && (findPhase(phase) ?? null)
      if (phase && !resolved.phase)
        return { fault: `There is no phase "${'id' in phase ? phase.id : phase.number}" in this project.` }
    }
    if (labelIds) {
      const missing = labelIds.find((id) => !labelById.has(id.toLowerCase()))
      if (missing) return { fault: `There is no label "${missing}" in this project.` }
      resolved.labels = [...new Set(labelIds.map((id) => labelById.get(id.toLowerCase())!))]
    }
    if (context) {
      const [wrong] = checkContext(context, resources, ownerId)
      if (wrong) return { fault: `connectedContext[${wrong.index}]: ${wrong.detail}` }
      resolved.links = distinctLinks(context)
    }
    return resolved
  }
}

function distinctLinks(links: Link[]): Link[] {
  const byId = new Map(links.map(({ resourceType, resourceId }) => [resourceId.toLowerCase(), resourceType]))
  return [...byId].map(([resourceId, resourceType]) => ({ resourceType, resourceId }))
}
