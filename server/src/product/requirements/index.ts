import type { Slice } from '../../kernel/slice.ts'
import {
  createDocument,
  documentEvents,
  insertTrees,
  liveDocuments,
  readDocumentTexts,
  registerOwnVersionRoutes,
  registerReviewAppRoutes,
  registerSearchWithinRoute,
  registerTreeRoute,
  restorableDocument,
} from '../documents/index.ts'
import { registerLiveStateRoute } from '../live-texts/index.ts'
import { registerApprovalRoutes } from './approval/app-api.ts'
import { approvalEvents } from './events.ts'
import { registerRequirementsRoutes } from './external-api.ts'
import { requirementsKind } from './kind.ts'
import { DOCUMENT_TYPES, KIND, OVERVIEW_TITLES } from './requirements-document.ts'
import { requirementsTools } from './tools.ts'

/**
 * What to build and why: OVERVIEW documents about the product, FEATURE documents about its parts. `documents` stores
 * them; `blueprints` owns the blueprint of each feature and follows the events of this slice.
 */
export const requirements: Slice = {
  name: 'requirements',
  events: [documentEvents[KIND], approvalEvents],
  externalApi: registerRequirementsRoutes,
  appApi(face) {
    registerTreeRoute(face, requirementsKind)
    registerSearchWithinRoute(face, requirementsKind)
    registerLiveStateRoute(face, requirementsKind)
    registerOwnVersionRoutes(face, requirementsKind)
    registerReviewAppRoutes(face, requirementsKind)
    registerApprovalRoutes(face)
  },
  tools: requirementsTools,
  resources: { [KIND]: readDocumentTexts },
  restorable: { [KIND]: restorableDocument(KIND) },
  liveTexts: { [KIND]: liveDocuments(KIND) },
  async onProjectCreated(ctx) {
    const trees = await insertTrees(
      ctx.db,
      ctx.actor.projectId,
      KIND,
      DOCUMENT_TYPES.map((name) => ({ name, locked: false })),
    )
    const overview = trees.find((tree) => tree.name === 'OVERVIEW')!
    for (const title of OVERVIEW_TITLES)
      await createDocument(ctx, {
        kind: KIND,
        title,
        place: { treeId: overview.id, parentId: null, position: undefined },
      })
  },
}

export { addRequirements, createRequirements, requirementsTypeOf } from './actions.ts'
export { movedRequirements } from './moved.ts'
export { KIND as REQUIREMENTS_KIND } from './requirements-document.ts'
