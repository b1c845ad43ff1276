import { mayHaveChanges } from '../../../engines/markdown/suggestions/critic-markup.ts'
import type { Actor, Ctx } from '../../../kernel/context.ts'
import { computed } from '../../../kernel/threads/compute-first.ts'
import { inThreads } from '../../../kernel/threads/threads.ts'
import * as conversion from './conversion.ts'
import { isPacked } from './packed-state.ts'

/** Longer documents are converted in a thread, because they would delay other requests. */
const LARGE_CHARACTERS = 4_000
/** Ten times what a rewrite of the longest document takes alone, because other work shares the processors. */
const DEADLINE_MS = 60_000

const threads = inThreads<typeof conversion>(new URL('./conversion.js', import.meta.url))

type Computing = Pick<Ctx, 'db' | 'computed'> & { actor: Pick<Actor, 'projectId'> }

export function follow(ctx: Computing, input: conversion.Followed): Promise<Uint8Array> {
  const isLong = isLarge(input.source, input.before ? [input.before.state] : [])
  const compute = () =>
    isLong ? threads.run(ctx.actor.projectId, 'follow', input, { deadlineMs: DEADLINE_MS }) : conversion.follow(input)
  return computed(ctx, 'follow', input, { isLong, compute })
}

export function writeOut(ctx: Computing, input: conversion.Typed): Promise<conversion.Written> {
  const isLong = isLarge(input.source, input.states)
  const compute = () =>
    isLong
      ? threads.run(ctx.actor.projectId, 'writeOut', input, { deadlineMs: DEADLINE_MS })
      : conversion.writeOut(input)
  return computed(ctx, 'write_out', input, { isLong, compute })
}

export async function nameChanges(ctx: Computing, input: conversion.Named): Promise<Uint8Array | undefined> {
  if (!mayHaveChanges(input.source)) return undefined
  const isLong = isLarge(input.source, [input.state])
  const compute = () =>
    isLong
      ? threads.run(ctx.actor.projectId, 'nameChanges', input, { deadlineMs: DEADLINE_MS })
      : conversion.nameChanges(input)
  return computed(ctx, 'name_changes', input, { isLong, compute })
}

const isLarge = (source: string, states: Uint8Array[]) => source.length > LARGE_CHARACTERS || states.some(isPacked)
