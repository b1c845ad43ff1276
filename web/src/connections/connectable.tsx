import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { clientOf } from '../lib/client.ts'
import { IconChecklist, IconFileText, IconFolders, IconMessage2, IconTopologyStar3 } from '../ui/icons.ts'
import type { Connected } from '../work-orders/work-order.ts'

export type Kind = Connected['resourceType']

export const KINDS: Record<Kind, [string, typeof IconFileText]> = {
  requirements_document: ['Requirement', IconFileText],
  blueprint: ['Blueprint', IconTopologyStar3],
  work_order: ['Work order', IconChecklist],
  theme: ['Theme', IconMessage2],
  feedback_item: ['Feedback', IconMessage2],
  artifact: ['Knowledge base', IconFolders],
}

/** The kinds that a work order can be connected to, in the order in which they are offered. */
export const CONNECTABLE: Kind[] = ['requirements_document', 'blueprint', 'theme', 'work_order', 'artifact']

export interface Connectable {
  resourceType: Kind
  resourceId: string
  title: string
}

const page_size = 100
const MAX_WORK_ORDERS = 20

/** What can be connected and has the text in its title. Without a text, the newest of each kind. */
export const connectableQuery = (projectId: string, text: string) =>
  queryOptions({
    queryKey: [projectId, 'connectable', text],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Connectable[]> => {
      const client = clientOf(projectId)
      const title = text || undefined
      const [requirements, blueprints, themes, artifacts, workOrders] = await Promise.all([
        client.requirements.list({ title, page_size }, { signal }),
        client.blueprints.list({ title, page_size }, { signal }),
        client.feedback.listThemes({}, { signal }),
        client.artifacts.list({ name: title, page_size }, { signal }),
        findWorkOrders(projectId, text, signal),
      ])
      return [
        ...requirements.items.map((one) => of('requirements_document', one.id, one.title)),
        ...blueprints.items.map((one) => of('blueprint', one.id, one.title)),
        ...themes.items.map((one) => of('theme', one.id, `${one.display_id} ${one.title}`)),
        ...artifacts.items.filter(({ type }) => type !== 'folder').map((one) => of('artifact', one.id, one.name)),
        ...workOrders.map(({ id, number, title }) => of('work_order', id, `WO-${number} ${title}`)),
      ]
    },
  })

async function findWorkOrders(projectId: string, text: string, signal: AbortSignal) {
  const { search, workOrders } = clientOf(projectId)
  if (text) {
    const { items } = await search.everywhere({ q: text, limit: MAX_WORK_ORDERS }, { signal })
    return items.filter(({ kind }) => kind === 'work_order')
  }
  const { items } = await workOrders.list({ sort: '-number', page_size: MAX_WORK_ORDERS }, { signal })
  return items.map(({ id, work_order_number: number, title }) => ({ id, number, title }))
}

const of = (resourceType: Kind, resourceId: string, title: string): Connectable => ({ resourceType, resourceId, title })
