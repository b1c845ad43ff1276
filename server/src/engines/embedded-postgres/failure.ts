import { statfs } from 'node:fs/promises'

/** An error for the operator who started the process. `main` prints its message without a stack. */
export function startFailure(message: string, cause?: unknown): Error {
  const failure = new Error(message, { cause })
  failure.name = 'StartFailure'
  return failure
}

export function isStartFailure(err: unknown): err is Error {
  return err instanceof Error && err.name === 'StartFailure'
}

export function errorCode(err: unknown): string | undefined {
  return (err as { code?: string } | null)?.code
}

export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-8).join('\n')
}

/** Explains a failed file operation or PostgreSQL program in terms of the folder it worked in. */
export async function diskFailure(folder: string, evidence: unknown): Promise<Error | undefined> {
  const code = errorCode(evidence)
  const text = evidence instanceof Error ? evidence.message : String(evidence)
  if (code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device|quota exceeded/i.test(text)) {
    return fullDisk(folder, evidence)
  }
  if (code === 'EROFS' || /Read-only file system/i.test(text)) {
    return startFailure(
      `The folder "${folder}" is on a read-only file system. Make it writable, or set DATA_DIR to another folder.`,
      evidence,
    )
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return startFailure(
      `The folder "${folder}" may not be used by ${currentUser()}. Give that user the right to write there, start Slipway as the folder's owner, or set DATA_DIR to another folder.`,
      evidence,
    )
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return startFailure(
      `The path "${folder}" is or leads through a file, not a folder. Set DATA_DIR to a folder.`,
      evidence,
    )
  }
  // PostgreSQL cannot always log why it failed, because its log is on the same disk.
  return (await hasNoSpace(folder)) ? fullDisk(folder, evidence) : undefined
}

/** Runs an operation on the folder and translates disk errors for the operator. */
export async function explainDiskErrors<T>(folder: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (err) {
    if (isStartFailure(err)) throw err
    throw (await diskFailure(folder, err)) ?? err
  }
}

function fullDisk(folder: string, cause: unknown): Error {
  const failure = startFailure(
    `The disk that holds the folder "${folder}" is full. Free at least 100 MB there, or set DATA_DIR to a folder on another disk.`,
    cause,
  )
  return Object.assign(failure, { code: 'ENOSPC' })
}

async function hasNoSpace(folder: string): Promise<boolean> {
  const space = await statfs(folder).catch(() => undefined)
  return space !== undefined && space.blocks > 0 && space.bavail * space.bsize < 1_000_000
}

function currentUser(): string {
  return `the user with the id ${process.getuid?.() ?? '?'}`
}
