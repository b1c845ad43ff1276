#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../dist/slipway.js', import.meta.url)
if (!existsSync(main)) await import('../build.mjs')
await import(main.href)
