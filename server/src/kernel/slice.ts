import type { Static, TSchema } from 'typebox'
import type { Background, BackgroundDeps, Ctx, Slice, Tool, Wiring } from './context.ts'
import { registerEvents } from './event-kinds.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'

export type {
  Background,
  BackgroundDeps,
  Job,
  JobDeps,
  LiveText,
  LiveTexts,
  ResourceReader,
  ResourceText,
  Restorable,
  Slice,
  Tool,
  TypedText,
  Wiring,
} from './context.ts'

/** Ties the input type of `run` to the schema that validates it. */
export function defineTool<T extends TSchema>(
  tool: Omit<Tool, 'input' | 'run'> & { input: T; run(ctx: Ctx, input: Static<T>): Promise<unknown> },
): Tool {
  return tool as Tool
}

export function wire(slices: Slice[], settings: Settings = DEFAULT_SETTINGS): Wiring {
  const wiring: Wiring = {
    events: registerEvents(slices.flatMap(({ events = [] }) => events.flatMap((one) => Object.values(one)))),
    during: new Map(),
    on: new Map(),
    alongside: new Map(),
    jobs: new Map(),
    resources: new Map(),
    restorable: new Map(),
    liveTexts: new Map(),
    onProjectCreated: [],
    storePlaces: [],
    tools: new Map(),
    settings,
  }
  for (const slice of slices) {
    for (const kind of Object.keys({ ...slice.on, ...slice.during }))
      if (!wiring.events.kinds.has(kind)) throw new Error(`"${slice.name}" waits for "${kind}", which is no event.`)
    if (slice.settings) settings.of(slice.settings)
    for (const [kind, run] of Object.entries(slice.during ?? {})) append(wiring.during, kind, run)
    for (const [kind, run] of Object.entries(slice.on ?? {}))
      append(wiring.on, kind, { run, wanted: slice.wanted?.[kind] })
    for (const [job, write] of Object.entries(slice.alongside ?? {})) wiring.alongside.set(job, write)
    for (const [name, job] of Object.entries(slice.jobs ?? {})) wiring.jobs.set(name, job)
    for (const [type, reader] of Object.entries(slice.resources ?? {})) wiring.resources.set(type, reader)
    for (const [type, one] of Object.entries(slice.restorable ?? {})) wiring.restorable.set(type, one)
    for (const [type, texts] of Object.entries(slice.liveTexts ?? {})) wiring.liveTexts.set(type, texts)
    for (const tool of slice.tools ?? []) wiring.tools.set(tool.name, tool)
    if (slice.onProjectCreated) wiring.onProjectCreated.push(slice.onProjectCreated)
    if (slice.storePlace) wiring.storePlaces.push(slice.storePlace)
  }
  return wiring
}

function append<T>(map: Map<string, T[]>, key: string, value: T) {
  map.set(key, [...(map.get(key) ?? []), value])
}

/** Starts the background work of the slices and returns one handle that stops all of it. */
export function startBackground(slices: Slice[], deps: BackgroundDeps): Background {
  const started = slices.flatMap((slice) => (slice.background ? [slice.background(deps)] : []))
  return {
    async stop(finishWithinMs) {
      await Promise.all(started.map((one) => one.stop(finishWithinMs)))
    },
  }
}
