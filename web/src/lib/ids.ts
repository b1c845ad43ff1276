const hex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (one) => one.toString(16).padStart(2, '0')).join('')

/** A new random id. `crypto.randomUUID` exists only on HTTPS and localhost, and Slipway may run on neither. */
export const newId = (): string => hex(16)

/** The same in the form of a UUID. */
export const newUuid = (): string => `${hex(4)}-${hex(2)}-4${hex(2).slice(1)}-8${hex(2).slice(1)}-${hex(6)}`

const NEW = 'new-'
/** The id of something until the server has given it one. */
export const temporaryId = () => NEW + newId()
/** Not known to the server yet, so no other write may name it. */
export const isNew = ({ id }: { id: string }) => id.startsWith(NEW)

/** This tab, until it is reloaded. */
export const TAB = hex(6)

let requests = 0
/** Names a request, so that the stream of changes can tell what this tab did itself. */
export const newRequestId = (): string => `${TAB}-${++requests}`
export const isOwnRequest = (requestId: string): boolean => requestId.startsWith(`${TAB}-`)
