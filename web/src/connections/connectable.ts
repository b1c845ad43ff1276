import type { Call } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'
import { codeOf } from '../lib/kinds.ts'
import type { Connection } from './api.ts'

type Kind = Connection['resource_type']

/** The kinds that a work order can be connected to, in the order in which they are offered. */
export const CONNECTABLE: Kind[] = ['requirements_document', 'blueprint', 'theme', 'work_order', 'artifact']

export interface Connectable {
  resourceType: Kind
  resourceId: string
  title: string
}

const page_size = 100
const MAX_WORK_ORDERS = 50

/** What has the text in its title, or is the work order with that number. */
export const connectableQuery = (projectId: string, text: string) =>
  queryOptions({
    queryKey: [projectId, 'connectable', text],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Connectable[]> => {
      const call = callOf(projectId)
      const title = text || undefined
      const [requirements, blueprints, themes, workOrders, artifacts] = await Promise.all([
        api.requirements(call).list({ title, page_size }, { signal }),
        api.blueprints(call).list({ title, page_size }, { signal }),
        api.feedback(call).listThemes({}, { signal }),
        findWorkOrders(call, text, signal),
        api.artifacts(call).list({ name: title, page_size }, { signal }),
      ])
      return [
        ...requirements.items.map((one) => of('requirements_document', one.id, one.title)),
        ...blueprints.items.map((one) => of('blueprint', one.id, one.title)),
        ...themes.items.map((one) => of('theme', one.id, `${one.display_id} ${one.title}`)),
        ...workOrders.map((one) =>
          of('work_order', one.id, `${codeOf({ kind: 'work_order', number: one.work_order_number })} ${one.title}`),
        ),
        ...artifacts.items.filter(({ type }) => type !== 'folder').map((one) => of('artifact', one.id, one.name)),
      ]
    },
  })

async function findWorkOrders(call: Call, text: string, signal: AbortSignal) {
  const workOrders = api.workOrders(call)
  const number = /^(?:wo-?)?(\d{1,9})$/i.exec(text)?.[1]
  const titled = workOrders.list(
    { ...(text && { title: [text] }), sort: '-number', page_size: MAX_WORK_ORDERS },
    { signal },
  )
  const numbered = number && workOrders.search({ work_order_number: Number(number) }, { signal })
  const [byNumber, byTitle] = await Promise.all([numbered, titled])
  const all = [...(byNumber ? byNumber.items : []), ...byTitle.items]
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index)
}

const of = (resourceType: Kind, resourceId: string, title: string): Connectable => ({ resourceType, resourceId, title })
