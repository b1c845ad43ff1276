/**
 * What every runtime must be able to do with the client: read, write under a condition, fail with a typed error, send a
 * file with progress, and give up. Plain JavaScript, because it runs in Node, Deno, Bun and browsers.
 */
export async function smoke({ Slipway, NotFoundError, PreconditionFailedError }, options) {
  const slipway = new Slipway(options)
  const { items } = await slipway.users.list()
  const { data, meta } = await slipway.artifacts.create({ type: 'folder', name: `Smoke ${crypto.randomUUID()}` })
  const renamed = await slipway.artifacts.update(data.id, { name: `${data.name} again` }, { ifMatch: meta.etag })
  const stale = await slipway.artifacts.update(data.id, { name: 'Never' }, { ifMatch: meta.etag }).catch((err) => err)
  const missing = await slipway.artifacts.get(crypto.randomUUID()).catch((err) => err)

  const file = new Blob([new Uint8Array(2_000_000)], { type: 'application/x-smoke' })
  const seen = []
  const sent = await slipway.artifacts.create(
    { file, name: 'smoke.bin', parent_id: data.id },
    { onProgress: (progress) => seen.push(progress) },
  )
  const { response } = await slipway.artifacts.download(sent.data.id)
  const read = (await response.arrayBuffer()).byteLength

  const stop = new AbortController()
  stop.abort(new Error('Enough.'))
  const aborted = await slipway.users.list({}, { signal: stop.signal }).catch((err) => err.message)
  await slipway.artifacts.delete(data.id)
  return {
    users: items.length > 0,
    renamed: renamed.data.name === `${data.name} again`,
    stale: stale instanceof PreconditionFailedError && stale.code,
    missing: missing instanceof NotFoundError && typeof missing.requestId,
    sent: sent.data.size_bytes,
    progress: seen.length > 0 && seen.at(-1).sentBytes === file.size && seen.at(-1).totalBytes === file.size,
    read,
    aborted,
  }
}

export const EXPECTED = {
  users: true,
  renamed: true,
  stale: 'precondition_failed',
  missing: 'string',
  sent: 2_000_000,
  progress: true,
  read: 2_000_000,
  aborted: 'Enough.',
}
