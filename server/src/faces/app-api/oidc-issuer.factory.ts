import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

interface Grant {
  challenge: string
  nonce: string
  redirectUri: string
}

/** Who signs in at the issuer, and what it does wrong. */
export interface Behavior {
  claims: Record<string, unknown>
  /** Claims of the token that differ from the honest ones. */
  forged?: Record<string, unknown>
  /** Puts the address into the answer of the user info endpoint instead of the token. */
  userInfo?: Record<string, unknown>
  /** Signs with a key that it does not publish. */
  foreignKey?: boolean
  denies?: boolean
}

export type Issuer = Awaited<ReturnType<typeof openIssuer>>

/** A small OpenID provider on a real port. Everyone who comes is signed in at once. */
export async function openIssuer() {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const grants = new Map<string, Grant>()
  const client = { clientId: 'slipway', clientSecret: 'secret of slipway' }
  const issuer = {
    url: '',
    ...client,
    behavior: { claims: {} } as Behavior,
    close: () => new Promise<unknown>((resolve) => server.close(resolve)),
  }

  async function answer(req: IncomingMessage, res: ServerResponse) {
    const url = new URL(req.url!, issuer.url)
    const send = (body: object, status = 200) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration')
      return send({
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        userinfo_endpoint: `${issuer.url}/userinfo`,
        jwks_uri: `${issuer.url}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (url.pathname === '/jwks') return send({ keys: [jwk] })
    if (url.pathname === '/authorize') return authorize(url.searchParams, res)
    if (url.pathname === '/userinfo') return send(issuer.behavior.userInfo ?? {})
    if (url.pathname !== '/token') return send({}, 404)
    const grant = redeem(req, new URLSearchParams(await text(req)))
    return grant ? send(await tokens(grant)) : send({ error: 'invalid_grant' }, 400)
  }

  function authorize(query: URLSearchParams, res: ServerResponse) {
    const back = new URL(query.get('redirect_uri')!)
    back.searchParams.set('state', query.get('state')!)
    if (issuer.behavior.denies) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomUUID()
      const [challenge, nonce] = [query.get('code_challenge')!, query.get('nonce')!]
      if (query.get('code_challenge_method') !== 'S256' || !nonce) return res.writeHead(400).end('PKCE and a nonce')
      grants.set(code, { challenge, nonce, redirectUri: query.get('redirect_uri')! })
      back.searchParams.set('code', code)
    }
    return res.writeHead(302, { location: back.href }).end()
  }

  /** A code works once, for the client with its secret and the verifier of the challenge. */
  function redeem(req: IncomingMessage, form: URLSearchParams): Grant | undefined {
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const [id, secret] = Buffer.from(req.headers.authorization?.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isClient = id === client.clientId && decodeURIComponent(secret!.replaceAll('+', ' ')) === client.clientSecret
    return isClient && grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri')
      ? grant
      : undefined
  }

  async function tokens({ nonce }: Grant) {
    const { claims, forged, foreignKey } = issuer.behavior
    const honest = { iss: issuer.url, aud: client.clientId, nonce, ...claims }
    const idToken = await new SignJWT({ ...honest, ...forged })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(foreignKey ? foreign.privateKey : own.privateKey)
    return { access_token: 'access of the person', token_type: 'Bearer', expires_in: 300, id_token: idToken }
  }

  const server = createServer((req, res) => {
    answer(req, res).catch((err: Error) => res.writeHead(500).end(err.message))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return issuer
}
