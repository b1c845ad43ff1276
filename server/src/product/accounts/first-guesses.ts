import { dictionary } from '@zxcvbn-ts/language-common'

/** Common words that the list does not have: of this product, and of keyboards and people elsewhere. */
const MORE = ['slipway', 'workspace', 'qwertz', 'qwertzuiop', 'willkommen', 'bienvenido', 'contraseña']

/** The 49,000 most common passwords of published leaks, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set([...dictionary['passwords-common'], ...MORE])
