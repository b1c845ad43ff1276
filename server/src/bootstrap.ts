import { randomBytes } from 'node:crypto'
import { type Config, ConfigError } from './config.ts'
import { inTransaction, type Sql } from './kernel/database/index.ts'
import { addOrganization, addUser, guessableBecause, organizationOperator } from './product/accounts/index.ts'
import { type Acting, addKey, addMember, addProject, operatorCtx } from './product/projects/index.ts'

/** Generated values are set. Values that the operator chose are undefined, because they are not shown. */
export interface BootstrapResult {
  email: string
  password: string | undefined
  externalKey: string | undefined
  reportingKey: string | undefined
}

/** Any constant works: nodes that start together on an empty database must not both fill it. */
const BOOTSTRAP_LOCK = 7_200_115

/** Creates the first organization, project, owner and keys. Returns undefined if the database is not empty. */
export function bootstrap(acting: Acting<Sql>, wanted: Config['bootstrap']): Promise<BootstrapResult | undefined> {
  return inTransaction(acting, async (acting) => {
    const { db } = acting
    await db`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`
    const [exists] = await db`select 1 from organizations limit 1`
    if (exists) return undefined
    const { email } = wanted
    const name = wanted.name ?? email.split('@')[0]!
    // Not whenever the environment is read: the variable counts only now, and the account may have another password later.
    const guessable = wanted.password && (await guessableBecause(wanted.password, { name, email }))
    if (guessable) throw new ConfigError(`BOOTSTRAP_PASSWORD cannot be used. ${guessable}`)
    const password = wanted.password ?? randomBytes(12).toString('base64url')
    const operator = organizationOperator(db)
    const organization = await addOrganization(operator, { name: 'My organization' })
    const owner = await addUser(operator, {
      email,
      name,
      organizationId: organization.id,
      role: 'super_admin',
      password,
    })
    const project = await addProject(acting, { name: wanted.project, organizationId: organization.id })
    const ctx = operatorCtx(acting, project)
    await addMember(ctx, owner.id, 'admin')
    const keyOf = async (kind: 'external' | 'reporting', chosenKey: string | undefined) => {
      const { key } = await addKey(ctx, { kind, userId: owner.id, name: 'First key', chosenKey })
      return chosenKey === undefined ? key : undefined
    }
    return {
      email: owner.email,
      password: wanted.password === undefined ? password : undefined,
      externalKey: await keyOf('external', wanted.apiKey),
      reportingKey: await keyOf('reporting', wanted.reportingKey),
    }
  })
}

/** Greets the operator on the first start. The secrets are never shown again. */
export function welcome(baseUrl: string, first: BootstrapResult): string {
  return `These are shown only this once:
  sign-in        ${first.email}
  password       ${first.password ?? '(BOOTSTRAP_PASSWORD)'}
  external key   ${first.externalKey ?? '(BOOTSTRAP_API_KEY)'}
  reporting key  ${first.reportingKey ?? '(BOOTSTRAP_REPORTING_KEY)'}

Open ${baseUrl} and sign in, or try the API:
  curl -H "X-API-Key: ${first.externalKey ?? '$BOOTSTRAP_API_KEY'}" ${baseUrl}/v2/external-api/health
`
}
