import { HOME_ID, LIST, type Module } from './modules.ts'

export const MODULES: readonly (Module & { path: (typeof LIST)[number]['path'] })[] = LIST
export const HOME = MODULES.find(({ id }) => id === HOME_ID)!
export const moduleRoutes = LIST.flatMap(({ routes }) => [...routes])

/** The module that a page belongs to. */
export const moduleOf = (pathname: string) => MODULES.find(({ path }) => path === pathname.split('/')[3])

/** The module that a kind of thing belongs to. */
export const moduleOfKind = (kind: string) => MODULES.find(({ kinds }) => kinds.includes(kind))
