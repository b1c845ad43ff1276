import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/** The face that every screen uses. Fetching it early avoids a shift when it replaces the system's. */
const FIRST_FONT = /inter-latin-wght-normal.*\.woff2$/

function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle, path }) =>
        Object.keys(path === '/index.html' ? (bundle ?? {}) : {})
          .filter((file) => FIRST_FONT.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

/** What the first screen is made of: the frame, shared parts and the module that a project opens with. */
const FIRST_FOLDERS = ['app', 'lib', 'ui', 'people', 'connections', 'activity', 'comments', 'work-orders']

/** Otherwise each icon that two screens share is a file of its own, and the first screen loads the icons of all modules. */
function iconGroups() {
  const sources = fileURLToPath(new URL('src/', import.meta.url))
  const files = FIRST_FOLDERS.flatMap((folder) =>
    readdirSync(path.join(sources, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(sources, folder, file),
    ),
  ).filter((file) => /\.tsx?$/.test(file) && !file.endsWith(path.join('ui', 'icons.ts')))
  const first = new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\bIcon[A-Z]\w+/g) ?? []))
  const isFirst = (id: string) => id.includes('@tabler') && first.has(path.basename(id, '.mjs'))
  return [
    { name: 'icons', test: isFirst, minShareCount: 2, priority: 1 },
    { name: 'more-icons', test: /@tabler/, minShareCount: 2 },
  ]
}

export default defineConfig({
  plugins: [preloadFont()],
  resolve: { conditions: ['slipway-source', ...defaultClientConditions] },
  server: { proxy: { '/v2': 'http://127.0.0.1:3000', '/collab': { target: 'ws://127.0.0.1:3000', ws: true } } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The policy of the pages allows no data: addresses for scripts, styles and fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'diagram.html'].map((page) => fileURLToPath(new URL(page, import.meta.url))),
      output: { codeSplitting: { groups: iconGroups() } },
      // Packages mark their modules for other bundlers; a thousand warnings would hide the others.
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
    },
  },
})
