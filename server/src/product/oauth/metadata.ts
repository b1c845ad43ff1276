/** What a token can be for: the two addresses of MCP. */
export const RESOURCES = ['/mcp', '/mcp/read'] as const
export type Resource = (typeof RESOURCES)[number]

/** `full` acts with all rights of the person, `read` changes nothing. */
export const SCOPES = ['read', 'full'] as const
export type Scope = (typeof SCOPES)[number]

export const scopesOf = (resource: Resource): Scope[] => (resource === '/mcp/read' ? ['read'] : [...SCOPES])

/** RFC 9728: where to get a token for this address. */
export const resourceMetadata = (origin: string, resource: Resource) => ({
  resource: origin + resource,
  authorization_servers: [origin],
  scopes_supported: scopesOf(resource),
  bearer_methods_supported: ['header'],
  resource_name: resource === '/mcp/read' ? 'Slipway (read only)' : 'Slipway',
  resource_documentation: `${origin}/docs/mcp`,
})

/** RFC 8414: how to ask for a token. */
export const serverMetadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  scopes_supported: [...SCOPES],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${origin}/docs/mcp`,
})

/** The header of a 401 that lets a program find its way to a token. */
export function challenge(origin: string, resource: Resource, hadToken: boolean): string {
  const fields = {
    realm: 'slipway',
    ...(hadToken && { error: 'invalid_token' }),
    resource_metadata: `${origin}/.well-known/oauth-protected-resource${resource}`,
    scope: scopesOf(resource).at(-1),
  }
  return `Bearer ${Object.entries(fields)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`
}
