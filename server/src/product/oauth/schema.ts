import { Type } from 'typebox'

/** The shapes of the RFCs, as far as we use them. */
const Text = Type.String()
const Texts = Type.Array(Text)

export const ResourceMetadata = Type.Object({
  resource: Text,
  authorization_servers: Texts,
  scopes_supported: Texts,
  bearer_methods_supported: Texts,
  resource_name: Text,
  resource_documentation: Text,
})

export const ServerMetadata = Type.Object({
  issuer: Text,
  authorization_endpoint: Text,
  token_endpoint: Text,
  registration_endpoint: Text,
  revocation_endpoint: Text,
  scopes_supported: Texts,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  grant_types_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  revocation_endpoint_auth_methods_supported: Texts,
  code_challenge_methods_supported: Texts,
  authorization_response_iss_parameter_supported: Type.Boolean(),
  service_documentation: Text,
})

const Words = Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }))

export const ClientMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: 20 }),
  client_name: Type.Optional(Type.String({ maxLength: 200 })),
  grant_types: Words,
  response_types: Words,
})

export const RegisteredClient = Type.Object({
  client_id: Text,
  client_id_issued_at: Type.Integer(),
  client_name: Text,
  redirect_uris: Texts,
  grant_types: Texts,
  response_types: Texts,
  token_endpoint_auth_method: Text,
})

const Field = Type.Optional(Type.String({ maxLength: 2_000 }))

export const TokenForm = Type.Object({
  grant_type: Field,
  client_id: Field,
  code: Field,
  redirect_uri: Field,
  code_verifier: Field,
  refresh_token: Field,
  resource: Field,
})

export const Tokens = Type.Object({
  access_token: Text,
  token_type: Text,
  expires_in: Type.Integer(),
  refresh_token: Text,
  scope: Text,
})

export const RevocationForm = Type.Object({ token: Type.String({ maxLength: 2_000 }), client_id: Field })

const Refusal = Type.Object({ error: Text, error_description: Text })
export const REFUSALS = { 400: Refusal, 401: Refusal, 413: Refusal, 415: Refusal, 429: Refusal }
