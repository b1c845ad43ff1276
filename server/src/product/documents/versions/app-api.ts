import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Empty, FilledText, Nullable, named, Time, Uuid } from '../../../kernel/http/schema.ts'
import { presentVersion } from '../document.ts'
import type { DocumentKind } from '../kind.ts'
import { VersionEntry } from '../schema.ts'
import { nameVersion } from './names.ts'
import { noteVisit, readVisit } from './visits.ts'

const Visit = named(
  'DocumentVisit',
  Type.Object({
    version_number: Nullable(Type.Integer({ examples: [12] }), { description: 'Null if you never looked.' }),
    seen_at: Nullable(Time),
    new_version_count: Type.Integer({ examples: [2], description: 'Later versions that others wrote.' }),
    authors: Type.Array(Type.String({ examples: ['Ada Lovelace'] }), { description: 'Who wrote them, up to three.' }),
  }),
)

/** Names for versions, and what each person has seen. */
export function registerOwnVersionRoutes(face: Face, of: DocumentKind): void {
  const { kind, path, idParam, noun, words } = of
  const tags = [of.tag]
  const one = `${path}/:${idParam}`
  const params = Type.Object({ [idParam]: Uuid })
  const idOf = (req: { params: unknown }) => (req.params as Record<string, string>)[idParam]!

  face.patch(
    `${one}/versions/:version_id`,
    operation({
      id: `name${noun}Version`,
      summary: 'Name a version',
      description: 'Null takes the name away.',
      tags,
      params: Type.Object({ [idParam]: Uuid, version_id: Uuid }),
      body: Type.Object({ version_name: Nullable(FilledText(100, { examples: ['Agreed with Finance'] })) }),
      answer: Data(VersionEntry),
    }),
    async (req) => {
      const { version_id } = req.params as unknown as { version_id: string }
      const name = req.body.version_name?.trim() ?? null
      return { data: presentVersion(await nameVersion(req.ctx, kind, idOf(req), version_id, name)) }
    },
  )

  face.get(
    `${one}/visit`,
    operation({
      id: `get${noun}Visit`,
      summary: `Say which version of a ${words} you have seen, and what came since`,
      tags,
      params,
      answer: Data(Visit),
    }),
    async (req) => {
      const { versionNumber, seenAt, newVersions, authors } = await readVisit(req.ctx, kind, idOf(req))
      return {
        data: { version_number: versionNumber, seen_at: seenAt, new_version_count: newVersions, authors },
      }
    },
  )

  face.put(
    `${one}/visit`,
    operation({
      id: `note${noun}Visit`,
      summary: `Note that you have seen a ${words} as it is now`,
      tags,
      params,
      answers: { 204: Empty },
      reads: true,
    }),
    async (req, reply) => {
      await noteVisit(req.ctx, kind, idOf(req))
      return reply.code(204).send(null)
    },
  )
}
