import { useEffect } from 'react'
import type { PalettePart } from '../../lib/module.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { MODULES } from '../find-module.ts'
import { loadModule } from '../loaded-modules.ts'

const parts = createStore<ReadonlyMap<string, PalettePart>>(new Map())

async function loadPart(id: string): Promise<[string, PalettePart][]> {
  const part = await (await loadModule(id)).palette?.()
  return part ? [[id, part]] : []
}

/** Loads what the modules add to the palette: all at once, so that no action moves while somebody points at it. */
export async function loadParts(): Promise<void> {
  const loaded = await Promise.allSettled(MODULES.map(({ id }) => loadPart(id)))
  const all = new Map(loaded.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])))
  parts.set((before) => (all.size > before.size ? all : before))
}

/** The same, by the ids of the modules. */
export function useParts(): ReadonlyMap<string, PalettePart> {
  useEffect(() => void loadParts(), [])
  return useStore(parts)
}
