import { inTransaction } from '../../kernel/database/index.ts'
import type { Slice } from '../../kernel/slice.ts'
import { removeUnclaimed } from '../../kernel/storage/index.ts'
import { registerOwnArtifactRoutes } from './app-api.ts'
import { STORE_PLACE } from './artifact.ts'
import { enqueueRemoval } from './bytes.ts'
import { artifactEvents } from './events.ts'
import { registerArtifactRoutes } from './external-api.ts'
import { keysInUse, readArtifactTexts } from './queries.ts'
import { restorableArtifact } from './restoring.ts'
import { READ_FILE_TEXTS } from './texts/text-queries.ts'
import { readFileTexts } from './texts/texts.ts'
import { artifactTools } from './tools.ts'
import { deleteExpired } from './trash/trash-queries.ts'
import { liveArtifacts } from './typing/live-artifacts.ts'
import { deleteAbandoned } from './uploads/upload-queries.ts'
import { deleteLostVersions } from './versions/version-queries.ts'

/**
 * The knowledge base: documents, files and folders. Rows live here, bytes in the store. Bytes are written before the
 * row that refers to them and removed after it is gone, so a row never lacks its bytes, and a sweep removes what a
 * crash leaves behind.
 */
export const artifacts: Slice = {
  name: 'artifacts',
  events: [artifactEvents],
  externalApi: registerArtifactRoutes,
  appApi: registerOwnArtifactRoutes,
  tools: artifactTools,
  resources: { artifact: readArtifactTexts },
  restorable: { artifact: restorableArtifact },
  liveTexts: { artifact: liveArtifacts },
  storePlace: STORE_PLACE,
  jobs: {
    empty_artifact_trash: {
      cron: '53 3 * * *',
      catchUp: true,
      run: (_payload, { db }) =>
        inTransaction({ db }, async ({ db }) => {
          await enqueueRemoval(db, await deleteExpired(db))
          await deleteLostVersions(db)
        }),
    },
    forget_artifact_uploads: {
      cron: '57 3 * * *',
      catchUp: true,
      run: (_payload, { db }) => inTransaction({ db }, async ({ db }) => enqueueRemoval(db, await deleteAbandoned(db))),
    },
    // Uploads wake it. The schedule is for files that were imported or restored.
    [READ_FILE_TEXTS]: { cron: '*/10 * * * *', run: (_payload, deps) => readFileTexts(deps) },
    sweep_artifact_bytes: {
      cron: '47 3 * * *',
      catchUp: true,
      run: async (_payload, { db, store }) => {
        await removeUnclaimed(store, STORE_PLACE, (keys) => keysInUse(db, keys))
      },
    },
  },
}

export {
  type ArtifactChange,
  changeArtifact,
  createArtifact,
  deleteArtifact,
  type NewArtifact,
} from './actions.ts'
export { type Artifact, type ArtifactSummary, STORE_PLACE } from './artifact.ts'
export { storeMarkdown } from './content.ts'
export { listIn as listArtifacts } from './folders.ts'
export { loadArtifact } from './load.ts'
export { movedArtifacts } from './moved.ts'
export { ARTIFACT_WORDS, findProjectOfArtifact, WORDS_SQL } from './queries.ts'
export { type ArtifactVersion, countLines } from './versions/version-queries.ts'
export { listArtifactVersions } from './versions/versions.ts'
