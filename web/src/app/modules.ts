import type { AnyRoute } from '@tanstack/react-router'
import { automationRoutes } from '../automations/routes.ts'
import { conversationRoutes } from '../conversations/routes.ts'
import { blueprintRoutes, requirementRoutes } from '../documents/routes.ts'
import { feedbackRoutes } from '../feedback/routes.ts'
import { knowledgeBaseRoutes } from '../knowledge-base/routes.ts'
import type { Counts } from '../lib/counts.ts'
import type { ModuleCode } from '../lib/module.ts'
import { ownAccount, settingsRoutes } from '../settings/routes.ts'
import {
  IconBolt,
  IconChecklist,
  IconFileText,
  IconFolders,
  IconMessage2,
  IconMessages,
  IconSettings,
  IconTopologyStar3,
} from '../ui/icons.ts'
import { workOrderRoutes } from '../work-orders/routes.ts'

export interface Module {
  id: string
  title: string
  icon: typeof IconFileText
  /** The first part of its addresses in a project. */
  path: string
  /** Opens it after `g`. */
  goKey?: string
  /** The last line of the sidebar, below what the open module shows there. */
  isLast?: boolean
  /** Its name on a narrow screen. Modules with the same one share a place in the bar there; the others are under More. */
  bar?: string
  /** A search in the palette that begins with this sign finds nothing else. */
  sign?: string
  /** What it is about, as the API calls it. */
  kinds: readonly string[]
  /** How the names of its kinds of writes begin. */
  writes: readonly string[]
  /** The number beside its name. */
  count?: keyof Counts
  /** All that is loaded of it before it is opened: addresses must be known to build and follow links. */
  routes: readonly AnyRoute[]
  load(): Promise<ModuleCode>
}

/** The only list of modules, in the order of the sidebar. */
export const LIST = [
  {
    id: 'requirements',
    title: 'Requirements',
    icon: IconFileText,
    path: 'requirements',
    goKey: 'r',
    bar: 'Docs',
    kinds: ['requirements_document'],
    writes: ['documents'],
    count: 'requirements',
    routes: requirementRoutes,
    load: async () => (await import('../documents/index.ts')).requirements,
  },
  {
    id: 'blueprints',
    title: 'Blueprints',
    icon: IconTopologyStar3,
    path: 'blueprints',
    goKey: 'b',
    bar: 'Docs',
    kinds: ['blueprint'],
    writes: [],
    count: 'blueprints',
    routes: blueprintRoutes,
    load: async () => (await import('../documents/index.ts')).blueprints,
  },
  {
    id: 'work-orders',
    title: 'Work Orders',
    icon: IconChecklist,
    path: 'work-orders',
    goKey: 'w',
    bar: 'Work',
    sign: '#',
    kinds: ['work_order'],
    writes: ['work-orders', 'phases', 'labels', 'views', 'connections'],
    count: 'work_orders',
    routes: workOrderRoutes,
    load: async () => (await import('../work-orders/index.ts')).workOrders,
  },
  {
    id: 'feedback',
    title: 'Feedback',
    icon: IconMessage2,
    path: 'feedback',
    goKey: 'f',
    bar: 'Feedback',
    kinds: ['feedback_item', 'theme'],
    writes: ['feedback'],
    count: 'feedback_to_process',
    routes: feedbackRoutes,
    load: async () => (await import('../feedback/index.ts')).feedback,
  },
  {
    id: 'automations',
    title: 'Automations',
    icon: IconBolt,
    path: 'automations',
    goKey: 'a',
    kinds: [],
    writes: ['automations'],
    routes: automationRoutes,
    load: async () => (await import('../automations/index.ts')).automations,
  },
  {
    id: 'knowledge-base',
    title: 'Knowledge Base',
    icon: IconFolders,
    path: 'knowledge-base',
    goKey: 'k',
    kinds: ['artifact'],
    writes: ['knowledge-base'],
    routes: knowledgeBaseRoutes,
    load: async () => (await import('../knowledge-base/index.ts')).knowledgeBase,
  },
  {
    id: 'conversations',
    title: 'Conversations',
    icon: IconMessages,
    path: 'conversations',
    goKey: 'c',
    bar: 'Chat',
    kinds: [],
    writes: ['conversations'],
    routes: conversationRoutes,
    load: async () => (await import('../conversations/index.ts')).conversations,
  },
  {
    id: 'settings',
    title: 'Settings',
    icon: IconSettings,
    path: 'settings',
    isLast: true,
    kinds: [],
    writes: [],
    routes: settingsRoutes,
    load: async () => (await import('../settings/index.ts')).settings,
  },
] as const satisfies readonly Module[]

/** Where a project opens. */
export const HOME_ID = 'work-orders'
/** The pages of a person who is in no project. */
export const personalRoutes = [ownAccount] as const
