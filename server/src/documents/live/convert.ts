import { createThreads } from '../../kernel/threads.ts'
import * as conversion from './conversion.ts'
import { isPacked } from './packed-state.ts'

/** From here on, converting would hold up other requests. */
const LARGE_CHARACTERS = 4_000
const DEADLINE_MS = 20_000

const threads = createThreads<typeof conversion>({
  module: new URL('./conversion.js', import.meta.url),
  size: 2,
  idleMs: 5 * 60_000,
})

export async function follow(input: conversion.Followed): Promise<Uint8Array> {
  const { source, before } = input
  return isLarge(source, before?.state)
    ? threads.run('follow', input, { deadlineMs: DEADLINE_MS })
    : conversion.follow(input)
}

export async function writeOut(input: conversion.Typed): Promise<{ markdown: string; state: Uint8Array }> {
  return isLarge(input.source, input.states[0])
    ? threads.run('writeOut', input, { deadlineMs: DEADLINE_MS })
    : conversion.writeOut(input)
}

export async function nameChanges(input: conversion.Named): Promise<Uint8Array | undefined> {
  if (!/\{\+\+|\{--/.test(input.source)) return undefined
  return isLarge(input.source, input.state)
    ? threads.run('nameChanges', input, { deadlineMs: DEADLINE_MS })
    : conversion.nameChanges(input)
}

function isLarge(source: string, state: Uint8Array | undefined): boolean {
  return source.length > LARGE_CHARACTERS || (state !== undefined && isPacked(state))
}
