import { KINDS, type Kind } from '../lib/kinds.ts'
import { Avatar } from './Avatar.tsx'

/** The sign of what was found: an avatar for a person. */
export function KindSign({ kind, id, title }: { kind: Kind; id: string; title: string }) {
  if (kind === 'person') return <Avatar person={{ id, name: title, email: '' }} size={18} />
  const Sign = KINDS[kind].icon
  return <Sign size={15} stroke={1.75} />
}
