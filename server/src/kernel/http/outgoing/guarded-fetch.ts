import { Readable } from 'node:stream'
import { guardedPost } from './guarded-request.ts'

/** `fetch` for libraries that post to a server which a member named: it may not be one of the operator's own network. */
export const guardedFetch =
  (options: { privateHosts: boolean; allowedBy: string }): typeof fetch =>
  async (input, init) => {
    const answer = await guardedPost(new URL(String(input)), {
      headers: { ...Object.fromEntries(new Headers(init?.headers)), 'accept-encoding': 'identity' },
      body: String(init?.body ?? ''),
      signal: init?.signal ?? new AbortController().signal,
      ...options,
    })
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    return new Response(Readable.toWeb(answer) as ReadableStream, { status: answer.statusCode!, headers })
  }
