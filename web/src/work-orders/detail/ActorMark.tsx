import type { Change } from '@slipway/sdk'
import { cx } from '../../lib/cx.ts'
import avatar from '../../ui/Avatar.module.css'
import { Avatar, useAgents } from '../../ui/Avatar.tsx'
import { IconBolt, IconKey, IconServer } from '../../ui/icons.ts'

export type Actor = Change['actor']

/** The name of who did something, and for whom. */
export function useActorName(actor: Actor): { name: string; behalf: string | undefined } {
  const agents = useAgents()
  const { type, name, on_behalf_of: owner } = actor
  // An agent that works under an account of its own is known by that account's name.
  if (type === 'agent' && owner && agents.has(owner.id)) return { name: owner.name, behalf: undefined }
  return { name, behalf: owner?.name }
}

/** Round for a person, black for an agent or automation, outlined for a key and for Slipway itself. */
export function ActorMark({ actor, size = 20 }: { actor: Actor; size?: number }) {
  const { name, behalf } = useActorName(actor)
  if (actor.type === 'person' && actor.id)
    return <Avatar person={{ id: actor.id, name: actor.name, email: '' }} size={size} />
  const title = behalf ? `${name}, for ${behalf}` : name
  const box = { width: size, height: size, fontSize: size * 0.45 }
  const sign = { size: size * 0.65, stroke: 2 }
  const isOutlined = actor.type === 'key' || actor.type === 'system'
  return (
    <span className={cx(avatar.avatar, isOutlined ? avatar.outlined : avatar.agent)} style={box} title={title}>
      {actor.type === 'agent' && 'AI'}
      {actor.type === 'automation' && <IconBolt {...sign} />}
      {actor.type === 'key' && <IconKey {...sign} />}
      {actor.type === 'system' && <IconServer {...sign} />}
    </span>
  )
}
