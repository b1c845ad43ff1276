import { AppError } from '../../kernel/errors.ts'

/** An MCP server that a member has connected. */
export interface Integration {
  id: string
  displayName: string
}

/** Includes the credentials, which never leave the slice. */
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

/** Tells a person why an integration cannot be used. Never contains a token. */
export class IntegrationFailure extends Error {
  override readonly name = 'IntegrationFailure'

  constructor(displayName: string, reason: string) {
    super(`The integration "${displayName}" cannot be used: ${reason}`)
  }
}

export const nameTaken = (name: string) =>
  new AppError(409, 'already_exists', `There is an integration "${name}" of this member already. Choose another name.`)
