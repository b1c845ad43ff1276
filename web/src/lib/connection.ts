import { createStore, useStore } from './store.ts'

export interface Connection {
  isOnline: boolean
  /** When it was lost. */
  since: number
}

/** Whether the server can be reached, as far as the last attempt tells. */
export const connection = createStore<Connection>({ isOnline: navigator.onLine, since: Date.now() })

export const useConnection = () => useStore(connection)

export function setOnline(isOnline: boolean): void {
  if (connection.get().isOnline !== isOnline) connection.set({ isOnline, since: Date.now() })
}

addEventListener('offline', () => setOnline(false))
