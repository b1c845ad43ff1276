import { clientOf } from '../lib/client.ts'
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

async function show({ projectId, id }: Place, change: (before: Connection[]) => Connection[]): Promise<void> {
  const { queryKey } = connectionsQuery(projectId, id)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, (before) => before && change(before))
}

/** Shows the change at once. If the server refuses it, shows what is there, and why. */
async function attempt(place: Place, what: string, send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (err) {
    const run = () => void attempt(place, what, send)
    showToast({ text: what, detail: (err as Error).message, tone: 'error', action: { label: 'Retry', run } })
  } finally {
    void queryClient.invalidateQueries({ queryKey: [place.projectId, 'connections'] })
  }
}

const asConnection = ({ resourceType, resourceId, title }: Connectable): Connection => ({
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
})

const readConnections = (projectId: string, id: string): Promise<Connection[]> =>
  queryClient.fetchQuery({ ...connectionsQuery(projectId, id), staleTime: 0 })

const isAbout =
  (...ids: string[]) =>
  ({ subject_id, kind }: { subject_id: string | null; kind: string }) =>
    ids.includes(subject_id ?? '') && /connected|linked|theme\.updated|deleted/.test(kind)

/** True if the two are connected again, or the theme has another feature: it has only one. */
async function isTaken(projectId: string, id: string, { resource_id, resource_type }: Connection): Promise<boolean> {
  const now = await readConnections(projectId, resource_id)
  return now.some(
    (one) => one.resource_id === id || (resource_type === 'theme' && one.resource_type === 'requirements_document'),
  )
}

export async function connect(place: Place, other: Connectable): Promise<void> {
  const { projectId, id } = place
  const { connections } = clientOf(projectId)
  await show(place, (before) => [...before, asConnection(other)])
  await attempt(place, `“${other.title}” was not connected`, async () => {
    const { data } = await connections.connect(id, other.resourceId)
    const undo = () =>
      attempt(place, `“${other.title}” is still connected`, async () => {
        // A theme goes back to the feature that it had.
        if (data.replaced_id) await connections.connect(data.replaced_id, other.resourceId)
        else await connections.disconnect(id, other.resourceId)
      })
    showToast({
      text: data.replaced_id ? `“${other.title}” moved here from another feature` : `“${other.title}” connected`,
      undo: () =>
        void undoUnlessChanged({
          projectId,
          what: `the connections of “${other.title}”`,
          isAsLeft: async () =>
            (await readConnections(projectId, other.resourceId)).some((one) => one.resource_id === id),
          isSuch: isAbout(id, other.resourceId),
          run: () => void undo(),
        }),
    })
  })
}

export async function disconnect(place: Place, other: Connection): Promise<void> {
  const { projectId, id } = place
  const { connections } = clientOf(projectId)
  const name = nameOf(other)
  await show(place, (before) => before.filter(({ resource_id }) => resource_id !== other.resource_id))
  await attempt(place, `“${name}” was not disconnected`, async () => {
    await connections.disconnect(id, other.resource_id)
    const undo = () =>
      attempt(place, `“${name}” was not connected again`, async () => {
        const confirmed_versions = other.changed.map(({ document_id, confirmed_version }) => ({
          document_id,
          version_number: confirmed_version,
        }))
        await connections.connect(id, other.resource_id, { confirmed_versions })
      })
    const run = () =>
      void undoUnlessChanged({
        projectId,
        what: `the connections of “${name}”`,
        isAsLeft: async () => !(await isTaken(projectId, id, other)),
        isSuch: isAbout(id, other.resource_id),
        run: () => void undo(),
      })
    showToast({ text: `“${name}” disconnected`, undo: run })
  })
}

/** Says that both ends still fit, as of the versions on the screen. */
export async function confirm(place: Place, other: Connection): Promise<void> {
  const versions = other.changed.map(({ document_id, version_number }) => ({ document_id, version_number }))
  await show(place, (before) =>
    before.map((one) => (one.resource_id === other.resource_id ? { ...one, changed: [] } : one)),
  )
  await attempt(place, `The connection with “${nameOf(other)}” was not confirmed`, async () => {
    await clientOf(place.projectId).connections.confirm(place.id, other.resource_id, { versions })
    showToast({ text: `Confirmed: “${nameOf(other)}” still fits` })
  })
}

/** The same for several at once, such as all work orders of a requirement. */
export async function confirmAll(place: Place, others: Connection[]): Promise<void> {
  await show(place, (before) => before.map((one) => ({ ...one, changed: [] })))
  await attempt(place, 'Not all connections were confirmed', async () => {
    for (const { resource_id, changed } of others)
      await clientOf(place.projectId).connections.confirm(place.id, resource_id, {
        versions: changed.map(({ document_id, version_number }) => ({ document_id, version_number })),
      })
    showToast({ text: `${others.length} connections confirmed` })
  })
}
