import type { Db } from '../../kernel/database/index.ts'
import { isUuid } from '../../kernel/uuid.ts'
import { isSameRedirect, type OAuthClient } from './client.ts'
import { RESOURCES, type Resource, type Scope, scopesOf } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { findClient } from './queries.ts'

/** What a program asks a person for. */
export interface AuthorizationRequest {
  client: OAuthClient
  redirectUri: string
  codeChallenge: string
  resource: Resource
  /** What the person may choose from. The last one is what the program would like. */
  scopes: Scope[]
  /** Adds what belongs into every answer to the redirect address. */
  answer(fields: Record<string, string>): string
}

/** A refusal that the program may know of. */
export class RefusedRequest extends OAuthError {
  readonly redirectTo: string

  constructor(err: OAuthError, redirectTo: string) {
    super(err.code, err.message)
    this.redirectTo = redirectTo
  }
}

/**
 * Reads the query of an authorization request. Throws an `OAuthError` for the person to see while it is not known that the
 * redirect address is the program's own, and a `RefusedRequest` after that. Anyone can register a program, so one that
 * nobody has approved gets no answer: a link to this server would lead people to any site.
 */
export async function readAuthorizationRequest(db: Db, query: string, origin: string): Promise<AuthorizationRequest> {
  const params = new URLSearchParams(query)
  const one = (name: string) => (params.getAll(name).length === 1 ? params.get(name)! : undefined)
  const id = one('client_id')
  const client = id && isUuid(id) ? await findClient(db, id) : undefined
  if (!client)
    throw new OAuthError(
      'invalid_client',
      'This server does not know the program that asks. Remove the server from the program and add it again.',
    )
  const redirectUri = params.has('redirect_uri') ? one('redirect_uri') : onlyOne(client.redirectUris)
  if (!redirectUri || !client.redirectUris.some((registered) => isSameRedirect(redirectUri, registered)))
    throw new OAuthError(
      'invalid_redirect_uri',
      `"${client.name}" did not register the address that it wants its answer sent to.`,
    )
  const state = one('state')
  const answer = (fields: Record<string, string>) => {
    const added = new URLSearchParams({ ...fields, ...(state !== undefined && { state }), iss: origin })
    return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`
  }
  try {
    for (const name of new Set(params.keys()))
      if (params.getAll(name).length > 1) throw new OAuthError('invalid_request', `"${name}" is there twice.`)
    if (one('response_type') !== 'code')
      throw new OAuthError('unsupported_response_type', 'Only the response type "code" is possible.')
    const codeChallenge = one('code_challenge') ?? ''
    if (one('code_challenge_method') !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge))
      throw new OAuthError('invalid_request', 'PKCE with the method S256 is required.')
    const resource = readResource(one('resource'), origin)
    return { client, redirectUri, codeChallenge, resource, scopes: readScopes(one('scope'), resource), answer }
  } catch (err) {
    if (!(err instanceof OAuthError) || !client.isApproved) throw err
    const { error, error_description } = err.toJSON()
    throw new RefusedRequest(err, answer({ error, error_description }))
  }
}

const onlyOne = (uris: string[]) => (uris.length === 1 ? uris[0] : undefined)

/** Clients of older versions of MCP do not name the resource. They mean the only one there was. */
export function readResource(asked: string | undefined, origin: string): Resource {
  if (asked === undefined) return '/mcp'
  const found = RESOURCES.find((resource) => asked.replace(/\/$/, '') === origin + resource)
  if (!found) throw new OAuthError('invalid_target', `There is nothing at that address. Ask for ${origin}/mcp.`)
  return found
}

/** Unknown scopes are ignored. Nobody gets more than they asked for. */
function readScopes(asked: string | undefined, resource: Resource): Scope[] {
  const words = (asked ?? '').split(' ')
  const possible = scopesOf(resource)
  return words.includes('read') && !words.includes('full') ? possible.filter((scope) => scope === 'read') : possible
}
