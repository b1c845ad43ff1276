import { cx } from '../lib/cx.ts'
import css from './Avatar.module.css'

export interface Person {
  id: string
  name: string
  email: string
}

const COLORS = ['#2f6b3a', '#3a5fb0', '#7b4a9e', '#b0581f', '#0b6b7d', '#9c3b5e', '#5a6b1f', '#6a5a4a']

const colorOf = (id: string) => {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0
  return COLORS[sum % COLORS.length]
}

const initialsOf = (name: string) => {
  const words = name.trim().split(/[\s._-]+/)
  const letters = words.length > 1 ? words[0]!.charAt(0) + words.at(-1)!.charAt(0) : name.slice(0, 2)
  return letters.toUpperCase()
}

/** Agents are accounts whose name says so. */
export const isAgent = ({ name }: Person) => /\bagent$/i.test(name)

/** Round for a person, square for an agent, a dashed ring for nobody. */
export function Avatar({ person, size = 20 }: { person: Person | null | undefined; size?: number }) {
  const box = { width: size, height: size, fontSize: Math.max(8, size * 0.45) }
  if (!person) return <span className={cx(css.avatar, css.nobody)} style={box} title="Nobody" />
  const agent = isAgent(person)
  return (
    <span
      className={cx(css.avatar, agent && css.agent)}
      style={agent ? box : { ...box, background: colorOf(person.id) }}
      title={person.name}
    >
      {agent ? 'AI' : initialsOf(person.name)}
    </span>
  )
}
