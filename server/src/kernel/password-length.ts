/** The allowed length of a password, wherever one is set. */
export const PASSWORD_LENGTH = { min: 8, max: 128 }

export const isPasswordLength = (length: number) => length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max
