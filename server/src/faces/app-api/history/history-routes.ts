import { Type } from 'typebox'
import type { Ctx } from '../../../kernel/context.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Items, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import {
  type ArtifactVersion,
  countLines as countArtifactLines,
  listArtifactVersions,
} from '../../../product/artifacts/index.ts'
import { countLines, listVersions } from '../../../product/documents/index.ts'
import { Actor, presentActor } from '../live/change.ts'
import { listVersionEvents } from './history-queries.ts'

const KINDS = [
  {
    kind: 'requirements_document',
    path: '/requirements',
    idParam: 'document_id',
    noun: 'RequirementsDocument',
    tag: 'Requirements',
    list: (ctx: Ctx, id: string) => listVersions(ctx, 'requirements_document', id),
    countLines,
  },
  {
    kind: 'blueprint',
    path: '/blueprints',
    idParam: 'blueprint_document_id',
    noun: 'Blueprint',
    tag: 'Blueprints',
    list: (ctx: Ctx, id: string) => listVersions(ctx, 'blueprint', id),
    countLines,
  },
  {
    kind: 'artifact',
    path: '/artifacts',
    idParam: 'artifact_id',
    noun: 'Artifact',
    tag: 'Artifacts',
    list: listArtifactVersions,
    countLines: countArtifactLines,
  },
] as const

const HistoryEntry = named(
  'HistoryEntry',
  Type.Object({
    version_id: Uuid,
    version_number: Type.Integer({ examples: [12] }),
    name: Nullable(Type.String({ examples: ['Agreed with Finance'] })),
    created_at: Time,
    origin_type: OneOf(['user', 'external_api', 'mcp', 'agent', 'automation', 'system']),
    actor: Actor,
    authors: Type.Array(Actor, {
      description: 'The actor, then who else typed into it or made a suggestion that it accepts.',
    }),
    run_id: Nullable(Uuid, { description: 'The run of the automation that wrote it.' }),
    restored_version_number: Nullable(Type.Integer({ examples: [7] })),
    lines_added: Nullable(Type.Integer({ examples: [4] }), { description: 'Null for long texts and old versions.' }),
    lines_removed: Nullable(Type.Integer({ examples: [2] })),
  }),
)

/** The versions of a document with who wrote each: a person, a key, an agent or the run of an automation. */
export function registerHistoryRoutes(face: Face) {
  for (const { kind, path, idParam, noun, tag, list, countLines } of KINDS)
    face.get(
      `${path}/:${idParam}/history`,
      operation({
        id: `get${noun}History`,
        summary: 'List versions with who wrote each and how, newest first',
        tags: [tag],
        params: Type.Object({ [idParam]: Uuid }),
        answer: Items(HistoryEntry),
      }),
      async (req) => {
        const id = (req.params as Record<string, string>)[idParam]!
        const versions: Listed[] = await list(req.ctx, id)
        const events = await listVersionEvents(req.ctx.db, req.ctx.actor.projectId, kind, id)
        const counts = await countLines(req.ctx.db, req.ctx.actor.projectId, id)
        const countOf = new Map(counts.map((count) => [count.versionNumber, count]))
        const byVersion = new Map(events.map((event) => [event.versionNumber, event]))
        return {
          items: versions.map((version) => {
            const event = byVersion.get(version.versionNumber)
            const actor = presentActor(event ?? causedBy(version))
            return {
              version_id: version.id,
              version_number: version.versionNumber,
              name: version.versionName,
              created_at: version.createdAt,
              origin_type: version.originType,
              actor,
              authors: [actor, ...version.otherAuthors.map((author) => presentActor(causedBy(author)))],
              run_id: event?.runId ?? null,
              restored_version_number: event?.restoredVersion ?? null,
              lines_added: countOf.get(version.versionNumber)?.added ?? null,
              lines_removed: countOf.get(version.versionNumber)?.removed ?? null,
            }
          }),
        }
      },
    )
}

/** Versions of every kind have at least this. */
type Listed = Omit<ArtifactVersion, 'versionName'> & { versionName: string | null }

const causedBy = ({ originType, userId, userName, via }: Listed['otherAuthors'][number]) => ({
  origin: originType,
  userId,
  userName,
  keyId: null,
  keyName: null,
  automationId: via?.automation_id ?? null,
  automationName: via?.automation_name ?? null,
})
