import type { Slice } from '../../kernel/slice.ts'
import {
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
import { REQUIREMENTS_KIND } from '../requirements/index.ts'
import { CATEGORIES, FEATURE_CATEGORY, KIND } from './blueprint.ts'
import { registerBlueprintRoutes } from './external-api.ts'
import {
  createWithFeature,
  deleteWithFeature,
  moveWithFeature,
  renameWithBlueprint,
  renameWithFeature,
} from './feature-pair.ts'
import { blueprintKind } from './kind.ts'
import { blueprintTools } from './tools.ts'

/**
 * How the product is built: blueprints in categories, and the feature blueprint of each FEATURE document. `documents`
 * stores them; `requirements` owns the features.
 */
export const blueprints: Slice = {
  name: 'blueprints',
  events: [documentEvents[KIND]],
  externalApi: registerBlueprintRoutes,
  appApi(face) {
    registerTreeRoute(face, blueprintKind)
    registerSearchWithinRoute(face, blueprintKind)
    registerLiveStateRoute(face, blueprintKind)
    registerOwnVersionRoutes(face, blueprintKind)
    registerReviewAppRoutes(face, blueprintKind)
  },
  tools: blueprintTools,
  resources: { [KIND]: readDocumentTexts },
  restorable: { [KIND]: restorableDocument(KIND) },
  liveTexts: { [KIND]: liveDocuments(KIND) },
  during: {
    [`${REQUIREMENTS_KIND}.created`]: createWithFeature,
    [`${REQUIREMENTS_KIND}.renamed`]: renameWithFeature,
    [`${REQUIREMENTS_KIND}.moved`]: moveWithFeature,
    [`${REQUIREMENTS_KIND}.deleted`]: deleteWithFeature,
    [`${KIND}.renamed`]: renameWithBlueprint,
  },
  async onProjectCreated(ctx) {
    await insertTrees(
      ctx.db,
      ctx.actor.projectId,
      KIND,
      CATEGORIES.map((name) => ({ name, locked: name === FEATURE_CATEGORY })),
    )
  },
}

export { createBlueprint } from './actions.ts'
export { KIND as BLUEPRINT_KIND } from './blueprint.ts'
