import { parentPort, workerData } from 'node:worker_threads'
import { exchangeCalls } from '../../kernel/threads/calls.ts'
import { shareThroughRedis } from './redis.ts'
import { createRoom, type Host, type Room } from './room.ts'

/** Runs in a thread; see `live-editing.ts`. */
const { redisUrl } = workerData as { redisUrl: string | undefined }
const extensions = redisUrl ? [await shareThroughRedis(redisUrl)] : []
exchangeCalls<Host, Room>(parentPort!, (host) => createRoom(host, extensions))
