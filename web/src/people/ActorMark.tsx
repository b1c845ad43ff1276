import type { Change } from '@slipway/sdk'
import { cx } from '../lib/cx.ts'
import { IconBolt, IconHash } from '../ui/icons.ts'
import css from './Avatar.module.css'
import { Avatar } from './Avatar.tsx'

const SIGNS = { key: IconHash, automation: IconBolt, system: IconHash }

/** Who did something: round for a person, a black square for an agent or automation, an outlined one for a key. */
export function ActorMark({ actor, size = 20 }: { actor: Change['actor']; size?: number }) {
  if (actor.type === 'person')
    return <Avatar person={{ id: actor.id ?? '', name: actor.name, email: '' }} size={size} />
  const Sign = actor.type === 'agent' ? undefined : SIGNS[actor.type]
  const isOutlined = actor.type === 'key' || actor.type === 'system'
  const title = actor.on_behalf_of ? `${actor.name}, for ${actor.on_behalf_of.name}` : actor.name
  return (
    <span
      className={cx(css.avatar, isOutlined ? css.outlined : css.agent)}
      style={{ width: size, height: size, fontSize: Math.max(8, size * 0.45) }}
      title={title}
    >
      {Sign ? <Sign size={size * 0.65} stroke={1.75} /> : 'AI'}
    </span>
  )
}
