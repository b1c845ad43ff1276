import path from 'node:path'
import { ConfigError, environmentReader } from './kernel/environment.ts'
import { BODY_MEMORY_BYTES, SHARES } from './kernel/http/bodies/budget.ts'
import { RATE_LIMIT_ANONYMOUS } from './kernel/http/clients/anonymous.ts'
import { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS } from './kernel/http/clients/connections.ts'
import { readTrustProxy, type TrustProxy } from './kernel/http/clients/trust-proxy.ts'
import { isPasswordLength, PASSWORD_LENGTH } from './kernel/password-length.ts'
import { readSettings, type Settings } from './kernel/settings.ts'
import type { S3Options } from './kernel/storage/index.ts'
import { type OidcSettings, readOidc } from './product/accounts/index.ts'

export { ConfigError } from './kernel/environment.ts'

export interface Config {
  host: string
  port: number
  baseUrl: string
  databaseUrl: string | undefined
  databasePoolSize: number
  /** Needed only if several nodes edit the same documents live. */
  redisUrl: string | undefined
  dataDir: string
  logLevel: string
  bodyLimitBytes: number
  /** What all bodies that are read at a moment may occupy. */
  bodyMemoryBytes: number
  /** Requests per minute and key, or per user. 0 turns the limit off. */
  rateLimitExternal: number
  rateLimitReporting: number
  rateLimitApp: number
  /** Requests per minute and address to what needs no key. */
  rateLimitAnonymous: number
  uploadLimitBytes: number
  reportingUploadLimitBytes: number
  rateLimitReportingPerAddress: number | undefined
  /** Uploads are refused while the disk of the data folder has less free space than this. */
  minFreeDiskBytes: number
  trustProxy: TrustProxy
  maxConnections: number
  maxConnectionsPerAddress: number
  /** The bucket for files. Undefined stores them in the data folder. */
  s3: S3Options | undefined
  /** The identity provider. Undefined leaves passwords only. */
  oidc: OidcSettings | undefined
  worker: boolean
  /** Fills the demo project at the first start. */
  demo: boolean
  settings: Settings
  bootstrap: {
    email: string
    /** Undefined takes it from the address. */
    name: string | undefined
    password: string | undefined
    project: string
    apiKey: string | undefined
    reportingKey: string | undefined
  }
}

const MIN_KEY_LENGTH = 32

/** Reads the environment once. An error names the variable before anything starts. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const reader = environmentReader(env)
  const { text, optional, whole } = reader
  const chosenKey = (name: string, prefix: string) => {
    const value = optional(name)
    if (value && !new RegExp(`^${prefix}[A-Za-z0-9_-]+$`).test(value))
      throw new ConfigError(
        `${name} must be "${prefix}" followed by characters of A-Z, a-z, 0-9, "_" and "-" (43 for a strong key).`,
      )
    if (value && value.length < MIN_KEY_LENGTH)
      throw new ConfigError(
        `${name} has ${value.length} characters and could be guessed. Choose at least ${MIN_KEY_LENGTH} random ones, with "${prefix}" at the beginning, or leave it out.`,
      )
    return value
  }

  const host = text('HOST', '127.0.0.1')
  const port = whole('PORT', 3000, 0, 65_535)
  const shownHost = host.includes(':') ? `[${host}]` : host
  const baseUrl = text('BASE_URL', `http://${shownHost}:${port}`).replace(/\/+$/, '')
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl))
    throw new ConfigError(
      `BASE_URL="${env.BASE_URL}" must be a full http or https URL, such as "https://slipway.example.org".`,
    )
  const databaseUrl = optional('DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    throw new ConfigError('DATABASE_URL must look like "postgres://user:password@host:5432/database".')
  const redisUrl = optional('REDIS_URL')
  if (redisUrl && !/^rediss?:\/\/./.test(redisUrl))
    throw new ConfigError('REDIS_URL must look like "redis://:password@host:6379".')
  const demo = !['', '0', 'off'].includes(text('SLIPWAY_DEMO', ''))
  // The owner of a first start with the demo plays its main part, unless they bring their own name.
  const owner = demo ? { email: 'ada@harbor.example', name: 'Ada Lovelace' } : { email: 'owner@slipway.local' }
  const email = text('BOOTSTRAP_EMAIL', owner.email)
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new ConfigError(`BOOTSTRAP_EMAIL="${email}" is not an e-mail address.`)
  const password = optional('BOOTSTRAP_PASSWORD')
  if (password && !isPasswordLength(password.length))
    throw new ConfigError(
      `BOOTSTRAP_PASSWORD has ${password.length} characters. Choose ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max}, or leave it out.`,
    )
  const logLevel = text('LOG_LEVEL', 'info')
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(logLevel))
    throw new ConfigError(`LOG_LEVEL="${logLevel}" must be one of fatal, error, warn, info, debug, trace, silent.`)

  const bodyLimitBytes = whole('BODY_LIMIT_BYTES', 10 * 1024 * 1024, 1024, 1024 * 1024 * 1024)
  // With less, the largest body could never be read, nor a part of a file sent to a bucket.
  const leastMemoryBytes = Math.max(16 * 1024 * 1024, SHARES * bodyLimitBytes)
  const dataDir = path.resolve(text('DATA_DIR', './data'))
  return {
    host,
    port,
    baseUrl,
    databaseUrl,
    databasePoolSize: whole('DATABASE_POOL_SIZE', 20, 4, 200),
    redisUrl,
    dataDir,
    logLevel,
    bodyLimitBytes,
    bodyMemoryBytes: whole(
      'BODY_MEMORY_BYTES',
      Math.max(BODY_MEMORY_BYTES, leastMemoryBytes),
      leastMemoryBytes,
      Number.MAX_SAFE_INTEGER,
    ),
    rateLimitExternal: whole('RATE_LIMIT_EXTERNAL', 12_000, 0, 100_000_000),
    rateLimitReporting: whole('RATE_LIMIT_REPORTING', 600, 0, 100_000_000),
    rateLimitApp: whole('RATE_LIMIT_APP', 1_200, 0, 100_000_000),
    rateLimitAnonymous: whole('RATE_LIMIT_ANONYMOUS', RATE_LIMIT_ANONYMOUS, 0, 100_000_000),
    uploadLimitBytes: whole('UPLOAD_LIMIT_BYTES', 100 * 1024 * 1024, 1024, 5 * 1024 * 1024 * 1024),
    reportingUploadLimitBytes: whole('REPORTING_UPLOAD_LIMIT_BYTES', 10 * 1024 * 1024, 1024, 5 * 1024 * 1024 * 1024),
    rateLimitReportingPerAddress: optional('RATE_LIMIT_REPORTING_PER_ADDRESS')
      ? whole('RATE_LIMIT_REPORTING_PER_ADDRESS', 0, 0, 100_000_000)
      : undefined,
    minFreeDiskBytes: whole('MIN_FREE_DISK_BYTES', 256 * 1024 * 1024, 0, Number.MAX_SAFE_INTEGER),
    trustProxy: readTrustProxy(text('TRUST_PROXY', 'off')),
    maxConnections: whole('MAX_CONNECTIONS', MAX_CONNECTIONS, 10, 1_000_000),
    maxConnectionsPerAddress: whole('MAX_CONNECTIONS_PER_ADDRESS', MAX_CONNECTIONS_PER_ADDRESS, 1, 1_000_000),
    s3: readS3(optional),
    oidc: readOidc(reader),
    worker: text('WORKER', 'on') !== 'off',
    demo,
    settings: readSettings(env, dataDir),
    bootstrap: {
      email,
      name: email === owner.email ? owner.name : undefined,
      password,
      project: text('BOOTSTRAP_PROJECT', 'My project'),
      apiKey: chosenKey('BOOTSTRAP_API_KEY', 'sofa-ext-'),
      reportingKey: chosenKey('BOOTSTRAP_REPORTING_KEY', 'sf-rpt-'),
    },
  }
}

function readS3(optional: (name: string) => string | undefined): S3Options | undefined {
  const bucket = optional('S3_BUCKET')
  const endpoint = optional('S3_ENDPOINT')
  const accessKeyId = optional('S3_ACCESS_KEY_ID')
  const secretAccessKey = optional('S3_SECRET_ACCESS_KEY')
  if (!bucket && (endpoint || accessKeyId || secretAccessKey))
    throw new ConfigError('S3_BUCKET is missing: set it to the bucket that files should lie in.')
  if (!bucket) return undefined
  if (!/^[A-Za-z0-9._-]{1,255}$/.test(bucket)) throw new ConfigError(`S3_BUCKET="${bucket}" is no name of a bucket.`)
  if (endpoint && (!URL.canParse(endpoint) || !/^https?:/.test(endpoint)))
    throw new ConfigError(
      `S3_ENDPOINT="${endpoint}" must be a full http or https URL, such as "https://s3.example.org".`,
    )
  if (!accessKeyId !== !secretAccessKey)
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.')
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
  return { endpoint, bucket, region: optional('S3_REGION') ?? 'us-east-1', credentials }
}
