/** As much of the store of a browser as tests need. `room` is how many characters fit. */
export function fakeStorage(room = Number.POSITIVE_INFINITY) {
  const entries: Record<string, string> = {}
  const methods = {
    getItem: (name: string) => entries[name] ?? null,
    setItem(name: string, value: string) {
      if (value.length > room) throw new DOMException('No room.', 'QuotaExceededError')
      entries[name] = value
      Object.defineProperty(storage, name, { enumerable: true, configurable: true, value })
    },
    removeItem(name: string) {
      delete entries[name]
      Reflect.deleteProperty(storage, name)
    },
  }
  const storage = Object.create(methods)
  return storage
}
