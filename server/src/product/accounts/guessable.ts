/** People add a year, a number or a mark to a common word. More than this is no longer a common password. */
const MAX_ADDED = 6

/** Says why a password is among the first that are tried, and what to do. Undefined if it is not. */
export async function guessableBecause(
  password: string,
  person: { name: string; email: string },
): Promise<string | undefined> {
  // Loaded on demand: the list is large, and most processes set no password.
  const { COMMON_PASSWORDS } = await import('./first-guesses.ts')
  const lower = password.toLowerCase()
  const word = wordIn(lower)
  if (COMMON_PASSWORDS.has(lower) || COMMON_PASSWORDS.has(word) || isMonotonous(lower))
    return 'This password is one of the first that anyone tries. Choose another one, such as four words that have nothing to do with each other.'
  const own = [person.name, person.email, person.email.split('@')[0]!].map(plain).filter((one) => one !== '')
  if (own.includes(plain(lower)) || own.includes(plain(word)))
    return 'This password is your name or e-mail address, which others know. Choose another one.'
  return undefined
}

const isLetter = (character: string) => /\p{L}/u.test(character)

/** Leaves out the few digits and marks at the ends. */
function wordIn(text: string): string {
  const characters = [...text]
  const word = characters.slice(characters.findIndex(isLetter), characters.findLastIndex(isLetter) + 1).join('')
  return text.length - word.length <= MAX_ADDED ? word : text
}

/** One or two characters again and again, or characters in their order, such as `12345678`. */
function isMonotonous(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0)!)
  const step = codes[1]! - codes[0]!
  const isRow = Math.abs(step) <= 1 && codes.every((code, at) => at === 0 || code - codes[at - 1]! === step)
  return isRow || new Set(codes).size <= 2
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
