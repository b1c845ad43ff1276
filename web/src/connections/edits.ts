import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { queryClient } from '../lib/query-client.ts'
import { showToast } from '../lib/toasts.ts'
import { undoUnlessChanged } from '../lib/undo-unless-changed.ts'
import { type Connection, connectionsQuery } from './api.ts'
import type { Connectable } from './connectable.ts'
import { nameOf } from './names.ts'

interface Place {
  projectId: string
  /** What it is connected to. */
  id: string
}

const show = (projectId: string, id: string, change: (before: Connection[]) => Connection[]) =>
  queryClient.setQueryData(connectionsQuery(projectId, id).queryKey, (before) => before && change(before))

const drop = (projectId: string, id: string, other: Connection) =>
  show(projectId, id, (all) => all.filter(({ resource_id }) => resource_id !== other.resource_id))

const put = (projectId: string, id: string, other: Connection) =>
  show(projectId, id, (all) =>
    all.some(({ resource_id }) => resource_id === other.resource_id)
      ? all.map((one) => (one.resource_id === other.resource_id ? other : one))
      : [...all, other],
  )

const reload = (projectId: string) => void queryClient.invalidateQueries({ queryKey: [projectId, 'connections'] })

const readConnections = (projectId: string, id: string): Promise<Connection[]> =>
  queryClient.fetchQuery({ ...connectionsQuery(projectId, id), staleTime: 0 })

const isAbout =
  (...ids: string[]) =>
  ({ subject_id, kind }: { subject_id: string | null; kind: string }) =>
    ids.includes(subject_id ?? '') && /connected|linked|theme\.updated|deleted/.test(kind)

interface Change {
  id: string
  other: Connection
  isUndo?: boolean
}

const about = (verb: string) => (change: { id: string; other: Connection }) => ({
  text: `${verb} “${nameOf(change.other)}”`,
  subjects: [change.id, change.other.resource_id],
  part: 'connection',
})

const addConnection = defineWrite<Change, { replaced_id: string | null }>({
  name: 'connections.add',
  waits: true,
  about: about('Connect'),
  async send({ id, other }, { projectId }) {
    const confirmed_versions = other.changed.map(({ document_id, confirmed_version }) => ({
      document_id,
      version_number: confirmed_version,
    }))
    const body = confirmed_versions.length > 0 ? { confirmed_versions } : {}
    return (await api.connections(callOf(projectId)).connect(id, other.resource_id, body)).data
  },
  show: ({ id, other }, projectId) => put(projectId, id, other),
  hide({ id, other }, projectId) {
    drop(projectId, id, other)
    reload(projectId)
  },
  saved({ replaced_id }, { id, other, isUndo }, { projectId }) {
    reload(projectId)
    const name = nameOf(other)
    if (isUndo) return showToast({ text: `“${name}” connected again` })
    const run = () =>
      // A theme goes back to the feature that it had.
      void (replaced_id
        ? addConnection(projectId, { id: replaced_id, other, isUndo: true })
        : removeConnection(projectId, { id, other, isUndo: true }))
    const undo = () =>
      void undoUnlessChanged({
        projectId,
        what: `the connections of “${name}”`,
        isAsLeft: async () =>
          (await readConnections(projectId, other.resource_id)).some((one) => one.resource_id === id),
        isSuch: isAbout(id, other.resource_id),
        run,
      })
    showToast({ text: replaced_id ? `“${name}” moved here from another feature` : `“${name}” connected`, undo })
  },
  failure: ({ other, isUndo }) => `“${nameOf(other)}” was not connected${isUndo ? ' again' : ''}`,
})

const removeConnection = defineWrite<Change, void>({
  name: 'connections.remove',
  waits: true,
  about: about('Disconnect'),
  send: async ({ id, other }, { projectId }) =>
    void (await api.connections(callOf(projectId)).disconnect(id, other.resource_id)),
  show: ({ id, other }, projectId) => drop(projectId, id, other),
  hide({ id, other }, projectId) {
    put(projectId, id, other)
    reload(projectId)
  },
  saved(_, { id, other, isUndo }, { projectId }) {
    reload(projectId)
    const name = nameOf(other)
    const undo = () =>
      void undoUnlessChanged({
        projectId,
        what: `the connections of “${name}”`,
        isAsLeft: async () => !(await isTaken(projectId, id, other)),
        isSuch: isAbout(id, other.resource_id),
        run: () => void addConnection(projectId, { id, other, isUndo: true }),
      })
    showToast({ text: `“${name}” disconnected`, ...(!isUndo && { undo }) })
  },
  failure: ({ other }) => `“${nameOf(other)}” is still connected`,
})

/** True if the two are connected again, or the theme has another feature: it has only one. */
async function isTaken(projectId: string, id: string, { resource_id, resource_type }: Connection): Promise<boolean> {
  const now = await readConnections(projectId, resource_id)
  return now.some(
    (one) => one.resource_id === id || (resource_type === 'theme' && one.resource_type === 'requirements_document'),
  )
}

export function connect({ projectId, id }: Place, { resourceType, resourceId, title }: Connectable): void {
  const other: Connection = {
    resource_type: resourceType,
    resource_id: resourceId,
    title,
    number: null,
    status: null,
    detail: null,
    version_number: null,
    is_fixed: false,
    changed: [],
    confirmed_at: null,
  }
  void addConnection(projectId, { id, other })
}

export const disconnect = ({ projectId, id }: Place, other: Connection) =>
  void removeConnection(projectId, { id, other })

const saveConfirmation = defineWrite<{ id: string; others: Connection[] }, void>({
  name: 'connections.confirm',
  waits: true,
  about: ({ id, others }) => ({
    text: others.length === 1 ? `Confirm “${nameOf(others[0]!)}”` : `Confirm ${others.length} connections`,
    subjects: [id, ...others.map(({ resource_id }) => resource_id)],
    part: 'connection',
  }),
  async send({ id, others }, { projectId, key }) {
    const { confirm } = api.connections(callOf(projectId))
    for (const { resource_id, changed } of others) {
      const versions = changed.map(({ document_id, version_number }) => ({ document_id, version_number }))
      await confirm(id, resource_id, { versions }, { idempotencyKey: `${key}-${resource_id}` })
    }
  },
  show: ({ id, others }, projectId) => {
    for (const other of others) put(projectId, id, { ...other, changed: [] })
  },
  hide({ id, others }, projectId) {
    for (const other of others) put(projectId, id, other)
    reload(projectId)
  },
  saved(_, { others }, { projectId }) {
    reload(projectId)
    const [only] = others
    showToast({
      text: others.length === 1 ? `Confirmed: “${nameOf(only!)}” still fits` : `${others.length} connections confirmed`,
    })
  },
  failure: ({ others }) =>
    others.length === 1
      ? `The connection with “${nameOf(others[0]!)}” was not confirmed`
      : 'Not all connections were confirmed',
})

/** Says that both ends still fit, as of the versions on the screen: for one, or all work orders of a requirement. */
export const confirm = ({ projectId, id }: Place, ...others: Connection[]) =>
  void saveConfirmation(projectId, { id, others })
