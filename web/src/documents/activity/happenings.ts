import type { Describe } from '../../activity/entries.ts'
import { inWords } from '../../lib/kinds.ts'

interface Payload {
  from?: string | null
  to?: string | null
  version_number?: number
  restored_version_number?: number
  is_resolved?: boolean
  changes?: { status?: { to: string }; owner_id?: { to: string | null } }
}

export const describeChange: Describe = ({ kind, payload }) => {
  const {
    from,
    to,
    version_number: version,
    restored_version_number: restored,
    is_resolved,
    changes,
  } = payload as Payload
  switch (kind.split('.')[1]) {
    case 'created':
      return 'created this'
    case 'renamed':
      return `renamed it from “${from}”`
    case 'moved':
      return 'moved it'
    case 'updated':
      return restored ? `restored version ${restored}` : 'edited the text'
    case 'restored':
      return 'brought it back'
    case 'version_named':
      return to ? `named version ${version} “${to}”` : `took the name off version ${version}`
    case 'commented':
      return 'commented'
    case 'comment_updated':
      return 'edited a comment'
    case 'comment_deleted':
      return 'deleted a comment'
    case 'comment_restored':
      return 'brought a comment back'
    case 'comment_changed':
      return is_resolved ? 'resolved a comment' : 'changed a comment'
    case 'approved':
      return `approved version ${version}`
    case 'approval_withdrawn':
      return `withdrew the approval of version ${version}`
    case 'state_changed':
      return changes?.status ? `set the status to ${inWords(changes.status.to)}` : 'changed the owner'
    case 'connected':
    case 'disconnected':
      return 'changed what is connected'
    case 'connection_confirmed':
      return 'confirmed a connection'
    default:
      return undefined
  }
}
