import type { Db } from '../database/index.ts'
import { uuidv7 } from '../uuid.ts'
import type { Store } from './store.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PLACE = /^[a-z]+$/

/** Returns a new key. `place` names what the bytes belong to, such as "avatars". */
export const newKey = ({ installationId }: Pick<Store, 'installationId'>, place: string, projectId: string) =>
  `${installationId}/${place}/${projectId}/${uuidv7()}`

/** True if `newKey` of this installation could have created the key. The sweeper never removes anything else. */
export function isOwnKey(installationId: string, key: string): boolean {
  const [installation, place = '', projectId = '', id = '', ...more] = key.split('/')
  return (
    installation === installationId && PLACE.test(place) && UUID.test(projectId) && UUID.test(id) && more.length === 0
  )
}

/** Loads the id that was created with the database. All nodes that share the database share it. */
export async function loadInstallationId(db: Db): Promise<string> {
  const [row] = await db<{ id: string }[]>`select id from installation`
  return row!.id
}
