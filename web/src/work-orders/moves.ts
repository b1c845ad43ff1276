import type { Announcements } from '@dnd-kit/core'

/** What is said while something is moved, by the pointer or by keys. */
export const MOVES = {
  lifted: (name: string) => `${name} is lifted.`,
  over: (name: string, place: string) => `${name} is over ${place}.`,
  dropped: (name: string, place: string) => `${name} is in ${place}.`,
  back: (name: string) => `${name} is back.`,
}

/** The same for the library that moves things by the pointer. It would read their ids. */
export function announcementsOf(nameOf: (id: string) => string, placeName: (id: string) => string): Announcements {
  const name = ({ id }: { id: string | number }) => nameOf(String(id))
  return {
    onDragStart: ({ active }) => MOVES.lifted(name(active)),
    onDragOver: ({ active, over }) => (over ? MOVES.over(name(active), placeName(String(over.id))) : undefined),
    onDragEnd: ({ active, over }) =>
      over ? MOVES.dropped(name(active), placeName(String(over.id))) : MOVES.back(name(active)),
    onDragCancel: ({ active }) => MOVES.back(name(active)),
  }
}
