import { createHash } from 'node:crypto'
import { forbidden } from '../errors.ts'
import type { Store } from '../storage/index.ts'

/** What agents send outside says whose agents they are, so that nothing they call leads them back here as a person. */
export const AGENT_HEADER = 'slipway-agent'
/** The same in the `_meta` of a message of the Model Context Protocol: some relays pass on no headers. */
export const AGENT_META = 'slipway/agent'

/** Differs between installations and tells nothing about them. The id itself is part of the names of files. */
export const agentMark = ({ installationId }: Pick<Store, 'installationId'>) =>
  createHash('sha256').update(`agent of ${installationId}`).digest('base64url').slice(0, 22)

export const leadsBack = () =>
  forbidden(
    'own_agent',
    'An integration must not lead back to the Slipway that its agent works in: there, the agent would act as a person, beyond its permissions. It has tools of its own for the same.',
  )
