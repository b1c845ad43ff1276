import type { ModuleCode } from '../lib/module.ts'
import { openAddress } from '../lib/navigate.ts'
import { followConversations } from './live.ts'
import { Sidebar } from './sidebar.tsx'

/** Opens a new conversation in the project that is open. */
export const openNew = () => openAddress(`${location.pathname.split('/').slice(0, 3).join('/')}/conversations/new`)

export const conversations: ModuleCode = {
  Sidebar,
  create: openNew,
  follow: followConversations,
  loadAhead: () => import('./ConversationsPage.tsx'),
  loadWrites: () => import('./writes.ts'),
  palette: async () => (await import('./palette.tsx')).palette,
}
