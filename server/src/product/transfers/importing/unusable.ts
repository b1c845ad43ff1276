import { AppError } from '../../../kernel/errors.ts'

/** The file itself is wrong, so trying again does not help. */
export const unusable = (detail: string) => new AppError(422, 'unusable_file', detail)
