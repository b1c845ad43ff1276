import type { ModuleCode } from '../lib/module.ts'

export const settings: ModuleCode = { palette: () => import('./palette.tsx') }
