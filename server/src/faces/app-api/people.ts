import type { Sql } from '../../kernel/database/index.ts'
import { isUuid } from '../../kernel/uuid.ts'
import { listSessionsThatLast } from '../../product/accounts/index.ts'
import type { People } from '../../product/live-texts/index.ts'
import { findMemberActor, listRolesOf } from '../../product/projects/index.ts'
import { isOwnOrigin } from './authenticate.ts'
import type { Sessions } from './sessions.ts'

interface Options {
  sessions: Sessions
  sql: Sql
  baseUrl: string
}

/**
 * Finds the people who edit documents in a browser. It sends the cookie with every socket, also with one that a page of
 * another site opens, so the origin decides first.
 */
export function createPeople({ sessions, sql, baseUrl }: Options): People {
  return {
    async find({ headers, url = '' }) {
      const projectId = new URL(url, baseUrl).searchParams.get('project_id')
      if (!projectId || !isUuid(projectId) || !isOwnOrigin(headers, baseUrl)) return undefined
      const signedIn = await sessions.find(headers.cookie)
      const actor = signedIn && (await findMemberActor(sql, projectId.toLowerCase(), signedIn.userId, 'user'))
      return actor && { sessionId: signedIn.sessionId, actor }
    },

    async recheck(people) {
      const members = people.map(({ actor }) => ({ projectId: actor.projectId, userId: actor.userId! }))
      const [lasting, roles] = await Promise.all([
        listSessionsThatLast(sql, [...new Set(people.map(({ sessionId }) => sessionId))]),
        listRolesOf(sql, members),
      ])
      const isLasting = new Set(lasting)
      const byMember = new Map(roles.map(({ projectId, userId, role }) => [`${projectId} ${userId}`, role]))
      return people.map(({ sessionId, actor }) => {
        const projectRole = byMember.get(`${actor.projectId} ${actor.userId}`)
        return projectRole && isLasting.has(sessionId) ? { ...actor, projectRole } : undefined
      })
    },
  }
}
