import type { Download, Options } from '@slipway/sdk'
import type { Kind } from '../kinds.ts'

/** A file that is shown, wherever it is stored. */
export interface ShownFile {
  name: string
  kind: Kind
  sizeBytes: number
  /** Where a browser reads it. Another content has another address. */
  address: string
  read(options: Options): Promise<Download>
}
