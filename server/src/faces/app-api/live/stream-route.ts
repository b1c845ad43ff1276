import { Type } from 'typebox'
import type { Sql } from '../../../kernel/database/index.ts'
import type { EventRegister } from '../../../kernel/event-kinds.ts'
import { openEventStream } from '../../../kernel/http/answers/event-stream.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Text } from '../../../kernel/http/schema.ts'
import { createLive } from './live.ts'
import { parsePosition } from './position.ts'
import { StreamedChanges } from './streamed.ts'

const KEEP_ALIVE_MS = 25_000
const TabId = Text(64, { minLength: 1, description: 'A random id of the tab. With it, others see that you are here.' })
const Page = Text(200, { description: 'Where in the project you are.', examples: ['work-orders/41'] })
/** A reader that is further behind reloads faster than it catches up. */
const MAX_BACKLOG_BYTES = 1024 * 1024

/** Streams what changes in a project, for as long as a tab is open. */
export function registerStreamRoute(face: Face, sql: Sql, events: EventRegister) {
  const live = createLive(sql, events, face.log)
  face.addHook('preClose', live.close)

  face.get(
    '/stream',
    {
      exposeHeadRoute: false,
      ...operation({
        id: 'streamChanges',
        summary: 'Follow what changes in the project',
        description:
          '`change` for each event that you may see. `presence` when people open or leave the project, or move in it. `reset` when too much has changed since the last event seen: load everything again. `position` only moves the place where to resume. The `id` of an event is where to resume; resuming can repeat some changes, but never leaves one out.',
        tags: ['Session'],
        query: Type.Object({
          last_event_id: Type.Optional(
            Text(64, {
              description:
                'Where to resume: the `id` of an event, or the `position` of the session to begin with. The header `Last-Event-ID` has precedence.',
            }),
          ),
          tab: Type.Optional(TabId),
          page: Type.Optional(Page),
        }),
        streams: StreamedChanges,
      }),
    },
    async (req, reply) => {
      const { actor } = req.ctx
      const userId = actor.userId!
      const seen = req.headers['last-event-id'] ?? req.query.last_event_id
      const place = live.reserve(userId)
      const options = { keepAliveMs: KEEP_ALIVE_MS, maxBacklogBytes: MAX_BACKLOG_BYTES }
      const stream = openEventStream(req, reply, options)
      const { tab, page } = req.query
      const id = tab === undefined ? undefined : { projectId: actor.projectId, userId, id: tab }
      const here = id && live.presence.join(id, req.signedIn!.name, page ?? null)
      const listener = { userId, role: actor.projectRole, sessionId: req.signedIn!.sessionId, stream }
      try {
        await live.follow(actor.projectId, listener, typeof seen === 'string' ? parsePosition(seen) : undefined)
      } catch (err) {
        req.log.warn({ err, request_id: req.id }, 'a stream ended early')
      } finally {
        stream.close()
        place.release()
        here?.leave()
      }
    },
  )

  face.post(
    '/presence',
    operation({
      id: 'moveInProject',
      summary: 'Tell the others where you are',
      tags: ['Session'],
      body: Type.Object({ tab: TabId, page: Page }),
      answers: { 204: Type.Null() },
      reads: true,
    }),
    async (req, reply) => {
      const { projectId, userId } = req.ctx.actor
      live.presence.move({ projectId, userId: userId!, id: req.body.tab }, req.body.page)
      return reply.code(204).send(null)
    },
  )
}
