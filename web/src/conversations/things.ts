import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { ownPath } from '../lib/addresses.ts'
import { callOf } from '../lib/client.ts'
import { inWords, KINDS, type Kind } from '../lib/kinds.ts'
import { conversationsKey } from './api.ts'

/** Something of the project that an answer cites. */
export interface Cited {
  kind: Kind
  /** Its number, or else its id. */
  of: string
  line: number | undefined
  path: string
}

const PAGES: [RegExp, Kind][] = [
  [/^work-orders\/(\d{1,9})$/, 'work_order'],
  [/^feedback\/themes\/(\d{1,9})$/, 'theme'],
  [/^feedback\/(\d{1,9})$/, 'feedback_item'],
  [/^requirements\/([0-9a-f-]{36})$/, 'requirements_document'],
  [/^blueprints\/([0-9a-f-]{36})$/, 'blueprint'],
  [/^knowledge-base\/([0-9a-f-]{36})$/, 'artifact'],
]

/** What an address of the project leads to. Undefined for any other address. */
export function citedBy(projectId: string, href: string): Cited | undefined {
  const path = ownPath(href)
  const start = `/p/${projectId}/`
  if (!path?.startsWith(start)) return undefined
  const { pathname, searchParams } = new URL(path, location.origin)
  for (const [pattern, kind] of PAGES) {
    const of = pattern.exec(pathname.slice(start.length))?.[1]
    if (of) return { kind, of, line: Number(searchParams.get('line')) || undefined, path }
  }
  return undefined
}

export interface Thing {
  title: string
  code: string | undefined
  /** Its state and other values, in words. */
  values: string[]
  markdown: string
  /** What a customer wrote, which is no markdown of ours. */
  words?: string
}

/** What is shown of it beside a conversation. */
export const thingQuery = (projectId: string, { kind, of }: Cited) =>
  queryOptions({
    queryKey: [...conversationsKey(projectId), 'thing', kind, of],
    queryFn: ({ signal }) => readThing(projectId, kind, of, signal),
  })

async function readThing(projectId: string, kind: Kind, of: string, signal: AbortSignal): Promise<Thing> {
  const call = callOf(projectId)
  const code = KINDS[kind].code && `${KINDS[kind].code}-${of}`
  const known = (values: (string | null | undefined)[]) => values.flatMap((one) => (one ? [inWords(one)] : []))
  switch (kind) {
    case 'work_order': {
      const { data } = await api.workOrders(call).getByNumber(Number(of), {}, { signal })
      return { title: data.title, code, values: known([data.status, data.priority]), markdown: data.markdown_content }
    }
    case 'theme': {
      const theme = (await api.feedback(call).listThemeRows({ number: [Number(of)] }, { signal })).items[0]
      if (!theme) throw new Error(`There is no theme ${code}.`)
      const people = `${theme.people_count} people`
      return { title: theme.title, code, values: [...known([theme.status]), people], markdown: theme.description ?? '' }
    }
    case 'feedback_item': {
      const { data } = await api.feedback(call).getReport(Number(of), { signal })
      return { title: data.title, code, values: known([data.status]), words: data.markdown_content, markdown: '' }
    }
    case 'requirements_document':
    case 'blueprint': {
      const documents = kind === 'blueprint' ? api.blueprints(call) : api.requirements(call)
      const { data } = await documents.get(of, {}, { signal })
      return { title: data.title, code, values: [KINDS[kind].name], markdown: data.markdown_content ?? '' }
    }
    default: {
      const { data } = await api.artifacts(call).get(of, { signal })
      return { title: data.name, code, values: [inWords(data.type)], markdown: '' }
    }
  }
}
