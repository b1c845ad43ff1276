import { ConfigError, type EnvironmentReader } from '../../kernel/environment.ts'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** As the button names it. */
  name: string
  /** Takes addresses for verified although the provider does not say so. */
  trustEmail: boolean
}

/** Undefined if no provider is configured. */
export function readOidc({ text, optional, httpUrl }: EnvironmentReader): OidcSettings | undefined {
  const issuer = httpUrl('OIDC_ISSUER')
  const clientId = optional('OIDC_CLIENT_ID')
  const clientSecret = optional('OIDC_CLIENT_SECRET')
  if (!issuer && !clientId && !clientSecret) return undefined
  if (!issuer || !clientId || !clientSecret)
    throw new ConfigError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.')
  const trustEmail = !['', '0', 'off'].includes(text('OIDC_TRUST_EMAIL', ''))
  return { issuer, clientId, clientSecret, name: text('OIDC_NAME', 'single sign-on'), trustEmail }
}
