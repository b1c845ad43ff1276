/** Lets readers on this node hear of turns that run here before they are committed. */
interface Room {
  /** What the agent has said of its next message so far. */
  saying: string
  readers: Set<Reader>
}

export interface Reader {
  onText(text: string): void
  /** Something was committed, or the turn ended. */
  onChange(): void
}

const rooms = new Map<string, Room>()

function roomOf(conversationId: string): Room {
  const room = rooms.get(conversationId) ?? { saying: '', readers: new Set() }
  rooms.set(conversationId, room)
  return room
}

export function sayText(conversationId: string, text: string): void {
  const room = roomOf(conversationId)
  room.saying += text
  for (const reader of room.readers) reader.onText(text)
}

export function sayChange(conversationId: string): void {
  const room = roomOf(conversationId)
  room.saying = ''
  for (const reader of room.readers) reader.onChange()
  leaveIfEmpty(conversationId, room)
}

/** Returns what is being said now, and a function that stops listening. */
export function listen(conversationId: string, reader: Reader): { saying: string; leave(): void } {
  const room = roomOf(conversationId)
  room.readers.add(reader)
  return {
    saying: room.saying,
    leave() {
      room.readers.delete(reader)
      leaveIfEmpty(conversationId, room)
    },
  }
}

function leaveIfEmpty(conversationId: string, room: Room): void {
  if (room.readers.size === 0 && room.saying === '' && rooms.get(conversationId) === room) rooms.delete(conversationId)
}
