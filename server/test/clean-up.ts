/**
 * Stops what test helpers leave running. A helper module is loaded once for many test files, so its own hook would
 * serve only the first of them; `setup.ts` runs for each.
 */
type Undo = () => Promise<void>

const afterTests: Undo[] = []
const afterFiles: Undo[] = []

export const afterEachTest = (undo: Undo) => void afterTests.push(undo)
export const afterEachFile = (undo: Undo) => void afterFiles.push(undo)

export async function endOfTest(): Promise<void> {
  for (const undo of afterTests) await undo()
}

export async function endOfFile(): Promise<void> {
  for (const undo of afterFiles) await undo()
}
