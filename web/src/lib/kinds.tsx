import type { Found } from '@slipway/sdk'
import type { ReactNode } from 'react'
import css from '../app/palette/Palette.module.css'
import { Avatar } from '../people/Avatar.tsx'
import {
  IconChartDots3,
  IconChecklist,
  IconFileText,
  IconFolders,
  IconMessage2,
  IconTopologyStar3,
} from '../ui/icons.ts'
import { StatusRing } from '../ui/StatusRing.tsx'
import { STATUS_NAMES, type Status } from '../work-orders/work-order.ts'

type Named = Pick<Found, 'id' | 'number' | 'title'>

interface Kind {
  section: string
  name: string
  icon(found: Named): ReactNode
  /** What stands before its number: WO. */
  code?: string
  /** Where it is opened. A kind is found as soon as the router has its path. */
  path: string
  params(found: Named): Record<string, string>
  search?(found: Named): Record<string, string>
  end?(status: string): ReactNode
}

const size = { size: 15, stroke: 1.75 }
const tag = (look: string | undefined) => (status: string) => (
  <span className={`${css.tag} ${look}`}>{sentence(status)}</span>
)
const sentence = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase().replaceAll('_', ' ')

/** Everything the palette can find, in the order of its sections. */
export const KINDS: Record<Found['kind'], Kind> = {
  work_order: {
    section: 'Work orders',
    name: 'Work order',
    icon: () => <IconChecklist {...size} />,
    code: 'WO',
    path: '/p/$projectId/work-orders/$number',
    params: ({ number }) => ({ number: String(number) }),
    end: (status) => (
      <>
        <StatusRing status={status as Status} />
        <span className={css.state}>{STATUS_NAMES[status as Status]}</span>
      </>
    ),
  },
  requirements_document: {
    section: 'Documents',
    name: 'Requirement',
    icon: () => <IconFileText {...size} />,
    path: '/p/$projectId/requirements/$documentId',
    params: ({ id }) => ({ documentId: id }),
  },
  blueprint: {
    section: 'Documents',
    name: 'Blueprint',
    icon: () => <IconTopologyStar3 {...size} />,
    path: '/p/$projectId/blueprints/$documentId',
    params: ({ id }) => ({ documentId: id }),
  },
  theme: {
    section: 'Feedback',
    name: 'Theme',
    icon: () => <IconChartDots3 {...size} />,
    code: 'TH',
    path: '/p/$projectId/themes/$themeId',
    params: ({ id }) => ({ themeId: id }),
    end: tag(css.amber),
  },
  feedback_item: {
    section: 'Feedback',
    name: 'Feedback',
    icon: () => <IconMessage2 {...size} />,
    code: 'FB',
    path: '/p/$projectId/feedback/$itemId',
    params: ({ id }) => ({ itemId: id }),
    end: tag(css.blue),
  },
  artifact: {
    section: 'Knowledge base',
    name: 'File',
    icon: () => <IconFolders {...size} />,
    path: '/p/$projectId/knowledge-base/$artifactId',
    params: ({ id }) => ({ artifactId: id }),
  },
  person: {
    section: 'People',
    name: 'Assigned work orders',
    icon: ({ id, title }) => <Avatar person={{ id, name: title, email: '' }} size={18} />,
    path: '/p/$projectId/work-orders',
    params: () => ({}),
    search: ({ id }) => ({ assignee: id }),
  },
}

export const codeOfFound = ({ kind, number }: Pick<Found, 'kind' | 'number'>): string | undefined => {
  const { code } = KINDS[kind]
  return code && number !== null ? `${code}-${number}` : undefined
}

/** The second word of what it is: "Requirement · Feature". */
export function kindNameOf({ kind, detail }: Pick<Found, 'kind' | 'detail'>): string {
  if (kind === 'artifact' && detail) return sentence(detail)
  const { name } = KINDS[kind]
  return detail && kind !== 'person' ? `${name} · ${sentence(detail)}` : name
}
