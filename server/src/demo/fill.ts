import { randomBytes } from 'node:crypto'
import { conflict } from '../kernel/errors.ts'
import {
  addOrganization,
  listOrganizations,
  loadOrganizationByName,
  organizationOperator,
  type User,
} from '../product/accounts/index.ts'
import { addProject, listProjects, type Project } from '../product/projects/index.ts'
import { planArtifacts } from './artifacts.ts'
import { planAutomations } from './automations.ts'
import { addPeople, createCast, type Deps, PEOPLE } from './cast.ts'
import { planDocuments } from './documents.ts'
import { planFeedback } from './feedback.ts'
import { planMembers, type Shown } from './members.ts'
import { createStory } from './story.ts'
import { planConversations } from './talks.ts'
import { planWorkOrders } from './work-orders.ts'
import { createIds, type World } from './world.ts'

export const PROJECT = 'Harbor Checkout'

export interface FilledDemo {
  projectId: string
  people: { fullName: string; email: string; role: string; isNew: boolean }[]
  /** What the new people sign in with. */
  password: string
  externalKey: string
}

/**
 * Fills the project of the demo through the same actions as everyone else's work. `admin`, if given, takes the part of
 * Ada Lovelace, who sees most of it.
 */
export async function fillDemo(deps: Deps, admin?: User): Promise<FilledDemo> {
  const { db } = deps
  if ((await listProjects(db)).some((one) => one.name === PROJECT))
    throw conflict('already_exists', `There is a project "${PROJECT}" already. The demo fills it only once.`)
  const isFirst = (await listOrganizations(db)).length === 0
  if (isFirst) await addOrganization(organizationOperator(db), { name: 'Harbor' })
  const organization = await loadOrganizationByName(db, undefined)
  const password = randomBytes(9).toString('base64url')
  const users = await addPeople(deps, organization.id, { admin, password, isFirst })

  const story = createStory(db)
  // The first step gives it its id.
  const project: Project = { id: '', name: PROJECT, organizationId: organization.id }
  const shown: Shown = { key: '' }
  story.plan('Aug 17 08:59', async () => {
    Object.assign(project, await addProject(deps, { name: PROJECT, organizationId: organization.id }))
  })
  const world: World = { deps, project, story, cast: createCast(deps, project, users.all), ids: createIds() }
  planMembers(world, shown)
  planArtifacts(world)
  planDocuments(world)
  planWorkOrders(world)
  planFeedback(world)
  planAutomations(world)
  planConversations(world)
  await story.tell()
  await story.dateBack(project.id)
  return {
    projectId: project.id,
    people: PEOPLE.map((person) => {
      const { email, name } = users.all.get(person.name)!
      return { fullName: name, email, role: person.role, isNew: users.added.has(person.name) }
    }),
    password,
    externalKey: shown.key,
  }
}
