import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../kernel/context.ts'
import type { Sql } from '../../kernel/database/index.ts'
import { notFound } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/uuid.ts'
import { findProjectOfArtifact } from '../../product/artifacts/index.ts'
import { findMemberActor } from '../../product/projects/index.ts'
import type { Sessions } from './sessions.ts'

/**
 * Finds the member whose browser opens a picture or file of a text. Texts use the path of the external API, which keys
 * can read too, and which names no project: that of the artifact counts.
 */
export const createReaders =
  ({ sessions, sql }: { sessions: Sessions; sql: Sql }) =>
  async (req: FastifyRequest): Promise<Actor | undefined> => {
    const { artifact_id: id } = req.params as { artifact_id: string }
    const person = req.headers.cookie ? await sessions.find(req.headers.cookie) : undefined
    if (!person) return undefined
    const projectId = isUuid(id) ? await findProjectOfArtifact(sql, id) : undefined
    const actor = projectId && (await findMemberActor(sql, projectId, person.userId, 'user'))
    if (!actor) throw notFound('artifact', id)
    return actor
  }
