import { useEffect } from 'react'
import type { PalettePart } from '../../lib/module.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { MODULES } from '../find-module.ts'
import { loadModule } from '../loaded-modules.ts'

const parts = createStore<ReadonlyMap<string, PalettePart>>(new Map())

async function loadPart(id: string): Promise<void> {
  const part = await (await loadModule(id)).palette?.()
  if (part) parts.set((before) => new Map(before).set(id, part))
}

/** Loads what the modules add to the palette. */
export const loadParts = () => Promise.allSettled(MODULES.map(({ id }) => loadPart(id)))

/** The same, by the ids of the modules, each as soon as it is loaded. */
export function useParts(): ReadonlyMap<string, PalettePart> {
  useEffect(() => void loadParts(), [])
  return useStore(parts)
}
