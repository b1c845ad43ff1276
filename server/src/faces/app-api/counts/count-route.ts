import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { countEverything } from './count-queries.ts'

const Count = Type.Integer({ examples: [41] })

/** How much a project holds, for every screen that says so. */
export function registerCountRoute(face: Face) {
  face.get(
    '/counts',
    operation({
      id: 'countEverything',
      summary: 'Count what the project holds',
      tags: ['Session'],
      answer: Type.Object({
        work_orders: Count,
        requirements: Count,
        blueprints: Count,
        artifacts: { ...Count, description: 'Files and documents of the knowledge base, without folders.' },
        feedback_items: Count,
        feedback_to_process: { ...Count, description: 'Reports that nobody has processed.' },
        themes: Count,
        themes_open: { ...Count, description: 'Themes that are neither resolved nor dismissed.' },
      }),
    }),
    (req) => countEverything(req.ctx.db, req.ctx.actor.projectId),
  )
}
