import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { unavailable } from '../../kernel/errors.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
export const VERSION = manifest.version

export function registerHealth(face: Face) {
  face.get(
    '/health',
    operation({
      id: 'getHealth',
      summary: 'Say whether the service works',
      tags: ['Service'],
      answer: Type.Object({
        status: Type.String({ examples: ['ok'] }),
        version: Type.String({ examples: ['0.1.0'] }),
        database: Type.String({ examples: ['ok'] }),
      }),
    }),
    async (req) => {
      await req.ctx.db`select 1`.catch(() => {
        throw unavailable('database_unavailable', 'The database cannot be reached right now. Try again shortly.')
      })
      return { status: 'ok', version: VERSION, database: 'ok' }
    },
  )
}
