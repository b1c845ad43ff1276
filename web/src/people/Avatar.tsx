import { cx } from '../lib/cx.ts'
import { createStore, useStore } from '../lib/store.ts'
import css from './Avatar.module.css'

export interface Person {
  id: string
  name: string
  email: string
  /** False for someone who left the project and still has work in it. */
  is_member?: boolean
}

export const shownName = ({ name, is_member }: Person) => (is_member === false ? `${name} (left)` : name)

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

const agents = createStore<ReadonlySet<string>>(new Set())

/** The ids of the accounts that agents work under. */
export const useAgents = () => useStore(agents)

/** Called with people as they are loaded, so that every avatar of an agent is square. */
export function noteAgents(people: { id: string; is_agent: boolean }[]): void {
  const known = agents.get()
  const found = people.filter(({ id, is_agent }) => is_agent !== known.has(id))
  if (found.length === 0) return
  const next = new Set(known)
  for (const { id, is_agent } of found) is_agent ? next.add(id) : next.delete(id)
  agents.set(next)
}

/** Round for a person, square for an agent, a dashed ring for nobody. */
export function Avatar({ person, size = 20 }: { person: Person | null | undefined; size?: number }) {
  const agent = useAgents().has(person?.id ?? '')
  const box = { width: size, height: size, fontSize: Math.max(8, size * 0.45) }
  if (!person) return <span className={cx(css.avatar, css.nobody)} style={box} title="Nobody" />
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
