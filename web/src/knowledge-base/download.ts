import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'

/** Saves a file on this device. */
export function download(projectId: string, { id, name }: { id: string; name: string }): void {
  const link = document.createElement('a')
  link.href = api.artifacts(callOf(projectId)).contentUrl(id)
  link.download = name
  link.click()
}
