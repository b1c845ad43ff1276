import type { ModelSettings } from './settings.ts'

const END_OF_THOUGHTS = '</think>'

/**
 * What a model says after its thoughts. Where its server opens the tag for it, only the end is seen; everything before
 * that end was thought. Undefined while no end is in sight.
 */
export function textAfterThoughts(text: string): string | undefined {
  const end = text.lastIndexOf(END_OF_THOUGHTS)
  return end === -1 ? undefined : text.slice(end + END_OF_THOUGHTS.length).trimStart()
}

const thinkers = new WeakMap<ModelSettings, Set<string>>()

/**
 * The names of the models whose last answer began in the middle of their thoughts. Nothing shows it before the first of
 * their answers has come to the end of its thoughts, so words of that one are seen live, though never stored; later ones
 * are held back until then. A model that did not think this time is heard at once the next time.
 */
export function thinkersAmong(settings: ModelSettings): Set<string> {
  const known = thinkers.get(settings) ?? new Set()
  thinkers.set(settings, known)
  return known
}
