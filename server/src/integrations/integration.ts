import { AppError } from '../kernel/errors.ts'

/** A server of tools that a member has connected. */
export interface Integration {
  id: string
  displayName: string
}

/** With what it takes to reach it, which never leaves the slice. */
export interface Connection extends Integration {
  url: string | null
  commandName: string | null
  sealedToken: string | null
}

export const presentIntegration = ({ id, displayName }: Integration) => ({
  object: 'connected_integration' as const,
  id,
  display_name: displayName,
})

/** Why an integration cannot be used, in words for a person. Never carries a token. */
export class IntegrationFailure extends Error {
  override readonly name = 'IntegrationFailure'

  constructor(displayName: string, reason: string) {
    super(`The integration "${displayName}" cannot be used: ${reason}`)
  }
}

export const nameTaken = (name: string) =>
  new AppError(409, 'already_exists', `There is an integration "${name}" of this member already. Choose another name.`)
