import { Type } from 'typebox'
import { encoded } from '../../kernel/http/answers/encoded.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Bytes, Uuid } from '../../kernel/http/schema.ts'
import type { ResourceType } from '../links/index.ts'
import { deflatedState, unpackState } from './conversion/packed-state.ts'
import { loadState } from './stored-state.ts'

interface Described {
  kind: ResourceType
  path: string
  idParam: string
  noun: string
  words: string
  tag: string
}

/**
 * The shared state as it is stored, so that an editor can show a document before its session has begun. The session then
 * sends only what is newer.
 */
export function registerLiveStateRoute(face: Face, { kind, path, idParam, noun, words, tag }: Described): void {
  face.get(
    `${path}/:${idParam}/live_state`,
    operation({
      id: `get${noun}LiveState`,
      summary: `Read the shared state of a ${words}, which live editing begins with`,
      description: 'A Yjs update. What was typed in the last second may be missing; the session on `/collab` sends it.',
      tags: [tag],
      params: Type.Object({ [idParam]: Uuid }),
      answer: Bytes,
    }),
    async (req, reply) => {
      const id = (req.params as Record<string, string>)[idParam]!
      const { state } = await loadState(req.ctx, { kind, id })
      const deflated = /\bdeflate\b/.test(String(req.headers['accept-encoding'])) ? deflatedState(state) : undefined
      if (deflated) reply.header('content-encoding', 'deflate')
      reply.header('vary', 'accept-encoding').header('cache-control', 'no-store').type('application/octet-stream')
      return encoded(Buffer.from(deflated ?? unpackState(state)))
    },
  )
}
