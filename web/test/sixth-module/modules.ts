import * as shipped from '../../src/app/modules.ts'
import { IconBox } from '../../src/ui/icons.ts'
import { berthRoutes } from './routes.ts'

export * from '../../src/app/modules.ts'

/** The list with one more module. */
export const LIST = [
  ...shipped.LIST,
  {
    id: 'berths',
    title: 'Berths',
    icon: IconBox,
    path: 'berths',
    goKey: 'e',
    kinds: [],
    writes: [],
    count: 'themes',
    routes: berthRoutes,
    load: async () => (await import('./index.tsx')).berths,
  },
] as const satisfies readonly shipped.Module[]
