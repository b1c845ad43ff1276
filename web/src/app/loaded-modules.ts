import { useEffect } from 'react'
import type { ModuleCode } from '../lib/module.ts'
import { reportFault } from '../lib/report-fault.ts'
import { createStore, useStore } from '../lib/store.ts'
import { MODULES } from './find-module.ts'

const loaded = createStore<ReadonlyMap<string, ModuleCode>>(new Map())
const loading = new Map<string, Promise<ModuleCode>>()

/** Loads the code of a module once, and with it what it does about changes of others. */
export function loadModule(id: string): Promise<ModuleCode> {
  const known = loading.get(id)
  if (known) return known
  const promise = load(id)
  loading.set(id, promise)
  // A browser that was away may ask again.
  promise.catch(() => loading.delete(id))
  return promise
}

async function load(id: string): Promise<ModuleCode> {
  const code = await MODULES.find((one) => one.id === id)!.load()
  reportFault(() => code.follow?.())
  loaded.set((before) => new Map(before).set(id, code))
  return code
}

/** Loads the module that has a kind of write, so that one which waited through a reload can be sent from any page. */
export async function loadWrites(kind: string): Promise<void> {
  const [prefix] = kind.split('.')
  const module = MODULES.find(({ writes }) => writes.includes(prefix!))
  if (module) await (await loadModule(module.id)).loadWrites?.()
}

export const loadModules = () => Promise.allSettled(MODULES.map(({ id }) => loadModule(id)))

/** The code of the modules that are loaded, by their ids. */
export const useLoadedModules = () => useStore(loaded)

/** The same, of all modules as soon as each is loaded. */
export function useAllModules(): ReadonlyMap<string, ModuleCode> {
  useEffect(() => void loadModules(), [])
  return useLoadedModules()
}
