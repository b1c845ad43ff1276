import { Type } from 'typebox'
import { bodyChecker } from '../../../kernel/http/validation.ts'
import { FORMAT, FORMAT_VERSION } from '../exporting/archive.ts'
import type { Archive } from './archive.ts'
import type { Listed } from './rows.ts'
import { unusable } from './unusable.ts'

const MANIFEST_BYTES = 1024 * 1024

const ManifestShape = Type.Object({
  format: Type.String(),
  version: Type.Integer(),
  project: Type.Object({ name: Type.String() }),
  tables: Type.Array(
    Type.Object({
      path: Type.String(),
      rows: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    { maxItems: 1_000 },
  ),
})

interface Manifest {
  format: string
  version: number
  project: { name: string }
  tables: (Listed & { rows: number })[]
}

export async function readManifest(archive: Archive): Promise<Manifest> {
  const text = await archive.readText('manifest.json', MANIFEST_BYTES)
  let manifest: Manifest
  try {
    manifest = JSON.parse(text)
  } catch {
    throw unusable('"manifest.json" is not JSON.')
  }
  if (bodyChecker(ManifestShape)(manifest) || manifest.format !== FORMAT)
    throw unusable('This is not the export of a project: "manifest.json" is not as it should be.')
  if (manifest.version !== FORMAT_VERSION)
    throw unusable(
      `The export has version ${manifest.version} of the format, and this server reads version ${FORMAT_VERSION}. Update the server.`,
    )
  return manifest
}
