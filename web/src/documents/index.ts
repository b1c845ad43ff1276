import { createElement } from 'react'
import type { ModuleCode } from '../lib/module.ts'
import type { Kind } from './kind.ts'
import { followDocuments } from './live.ts'
import './shortcuts.ts'
import { SidebarTree } from './sidebar.tsx'

/** Requirements and blueprints are kinds of documents: two modules with the same code. */
const moduleOf = (kind: Kind): ModuleCode => ({
  Sidebar: () => createElement(SidebarTree, { kind }),
  follow: () => followDocuments(kind),
  loadWrites: () => import('./writes.ts'),
  palette: async () => ({ actions: (await import('./palette.tsx')).actionsOf(kind) }),
})

export const requirements = moduleOf('requirements')
export const blueprints = moduleOf('blueprints')
