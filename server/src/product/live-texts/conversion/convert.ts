import { mayHaveChanges } from '../../../engines/markdown/suggestions/critic-markup.ts'
import type { Actor } from '../../../kernel/context.ts'
import { inThreads } from '../../../kernel/threads/threads.ts'
import * as conversion from './conversion.ts'
import { isPacked } from './packed-state.ts'

/** Longer documents are converted in a thread, because they would delay other requests. */
const LARGE_CHARACTERS = 4_000
/** Ten times what a rewrite of the longest document takes alone, because other work shares the processors. */
const DEADLINE_MS = 60_000

const threads = inThreads<typeof conversion>(new URL('./conversion.js', import.meta.url))

type Computing = { actor: Pick<Actor, 'projectId'> }

export async function follow({ actor }: Computing, input: conversion.Followed): Promise<Uint8Array> {
  if (!isLarge(input.source, input.before ? [input.before.state] : [])) return conversion.follow(input)
  return threads.run(actor.projectId, 'follow', input, { deadlineMs: DEADLINE_MS })
}

export async function writeOut({ actor }: Computing, input: conversion.Typed): Promise<conversion.Written> {
  if (!isLarge(input.source, input.states)) return conversion.writeOut(input)
  return threads.run(actor.projectId, 'writeOut', input, { deadlineMs: DEADLINE_MS })
}

export async function nameChanges({ actor }: Computing, input: conversion.Named): Promise<Uint8Array | undefined> {
  if (!mayHaveChanges(input.source)) return undefined
  if (!isLarge(input.source, [input.state])) return conversion.nameChanges(input)
  return threads.run(actor.projectId, 'nameChanges', input, { deadlineMs: DEADLINE_MS })
}

const isLarge = (source: string, states: Uint8Array[]) => source.length > LARGE_CHARACTERS || states.some(isPacked)
