import type { Found } from '@slipway/sdk'
import IconChartDots3 from '@tabler/icons-react/dist/esm/icons/IconChartDots3.mjs'
import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconFolders from '@tabler/icons-react/dist/esm/icons/IconFolders.mjs'
import IconMessage2 from '@tabler/icons-react/dist/esm/icons/IconMessage2.mjs'
import IconTopologyStar3 from '@tabler/icons-react/dist/esm/icons/IconTopologyStar3.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import type { AnyRouter } from '@tanstack/react-router'

/** What the API calls it: in what is found, in connections and in events. */
export type Kind = Found['kind']
type Named = Pick<Found, 'kind' | 'id' | 'number'>

interface Words {
  name: string
  /** Where lists of everything show it. */
  section: string
  icon: typeof IconFileText
  /** What stands before its number: WO. */
  code?: string
  /** Where it is opened. A kind has a page as soon as the router has its path. */
  path: string
  params(one: Named): Record<string, string>
  search?(one: Named): Record<string, string>
}

/** Everything that a project has, in the order in which it is listed. */
export const KINDS: Record<Kind, Words> = {
  work_order: {
    name: 'Work order',
    section: 'Work orders',
    icon: IconChecklist,
    code: 'WO',
    path: '/p/$projectId/work-orders/$number',
    params: ({ number }) => ({ number: String(number) }),
  },
  requirements_document: {
    name: 'Requirement',
    section: 'Documents',
    icon: IconFileText,
    path: '/p/$projectId/requirements/$documentId',
    params: ({ id }) => ({ documentId: id }),
  },
  blueprint: {
    name: 'Blueprint',
    section: 'Documents',
    icon: IconTopologyStar3,
    path: '/p/$projectId/blueprints/$documentId',
    params: ({ id }) => ({ documentId: id }),
  },
  theme: {
    name: 'Theme',
    section: 'Feedback',
    icon: IconChartDots3,
    code: 'TH',
    path: '/p/$projectId/feedback/themes/$number',
    params: ({ number }) => ({ number: String(number) }),
  },
  feedback_item: {
    name: 'Feedback',
    section: 'Feedback',
    icon: IconMessage2,
    code: 'FB',
    path: '/p/$projectId/feedback/$number',
    params: ({ number }) => ({ number: String(number) }),
  },
  artifact: {
    name: 'File',
    section: 'Knowledge base',
    icon: IconFolders,
    path: '/p/$projectId/knowledge-base/$artifactId',
    params: ({ id }) => ({ artifactId: id }),
  },
  person: {
    name: 'Assigned work orders',
    section: 'People',
    icon: IconUser,
    path: '/p/$projectId/work-orders',
    params: () => ({}),
    search: ({ id }) => ({ assignee: id }),
  },
}

export const isKind = (name: string): name is Kind => name in KINDS

/** WO-38, TH-15. Undefined for what has no number. */
export function codeOf({ kind, number }: Pick<Named, 'kind' | 'number'>): string | undefined {
  const { code } = KINDS[kind]
  return code && number !== null ? `${code}-${number}` : undefined
}

/** The second word of what it is: "Requirement · Feature". */
export function kindNameOf({ kind, detail }: Pick<Found, 'kind' | 'detail'>): string {
  if (kind === 'artifact' && detail) return inWords(detail)
  const { name } = KINDS[kind]
  return detail && kind !== 'person' ? `${name} · ${inWords(detail)}` : name
}

/** in_progress → In progress. */
export const inWords = (state: string) =>
  state.charAt(0).toUpperCase() + state.slice(1).toLowerCase().replaceAll('_', ' ')

/** Its address. Undefined if it has no page. */
export function hrefOf(router: AnyRouter, projectId: string, one: Named): string | undefined {
  const { path, params, search } = KINDS[one.kind]
  // Only what has a number can be opened by it.
  if (!router.routesByPath[path] || (path.endsWith('$number') && one.number === null)) return undefined
  const to = { to: path, params: { projectId, ...params(one) }, search: search?.(one) ?? {} }
  return router.buildLocation(to as never).href
}
