import type { ModuleCode } from '../lib/module.ts'
import { actions } from './palette.tsx'

export const settings: ModuleCode = { palette: { actions } }
