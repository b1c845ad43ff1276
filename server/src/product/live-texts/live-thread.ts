import { parentPort, workerData } from 'node:worker_threads'
import { exchangeCalls } from '../../kernel/threads/calls.ts'
import { shareThroughRedis } from './redis.ts'
import { createRoom, type Host, type Room } from './room.ts'

/** Runs in a thread; see `live-editing.ts`. */
const { redisUrl } = workerData as { redisUrl: string | undefined }
const extensions = redisUrl ? [await shareThroughRedis(redisUrl)] : []
exchangeCalls<Host, Room>(parentPort!, (host) => {
  // Hocuspocus prints errors with their full stack.
  console.error = (...said: unknown[]) => host.tell('log', 'warn', `Live editing: ${oneLine(said)}`, undefined)
  return createRoom(host, extensions)
})

function oneLine(said: unknown[]): string {
  const text = said.map((one) => (one instanceof Error && one.message ? one.message : String(one))).join(' ')
  return text.replace(/\s+/g, ' ').slice(0, 300)
}
