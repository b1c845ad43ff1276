import { readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Changes to the driver `postgres` where every request pays for something that it need not: docs/decisions/0013 and 0014
 * say why, and what was measured. The package stays as it is published; the changes are made while the server is joined
 * into its bundle.
 */
const CHANGES = {
  // A function that is assigned to `this` in a constructor is made in the old space and keeps the query's rows alive.
  'query.js': ['resolve', 'reject'].map((settle) => ({
    from: `    this.${settle} = x => (this.active = false, ${settle}(x))\n`,
    to: `    const ${settle}Query = x => (this.active = false, ${settle}(x))\n    this.${settle} = ${settle}Query\n`,
  })),
  // The connection that was used last is given out first: its process of PostgreSQL is still in the processor's caches.
  'queue.js': [
    {
      from: '    push: (x) => (xs.push(x), x),\n',
      to: '    push: (x) => (xs.push(x), x),\n    pop: () => xs.pop(),\n',
    },
  ],
  'index.js': [
    { from: '      ? open.shift()\n', to: '      ? open.pop()\n' },
    { from: '      return go(open.shift(), query)\n', to: '      return go(open.pop(), query)\n' },
  ],
  // Hidden fields instead of properties that are defined one by one for every result.
  'result.js': [
    {
      from: `  constructor() {
    super()
    Object.defineProperties(this, {
      count: { value: null, writable: true },
      state: { value: null, writable: true },
      command: { value: null, writable: true },
      columns: { value: null, writable: true },
      statement: { value: null, writable: true }
    })
  }
`,
      to: ['count', 'state', 'command', 'columns', 'statement']
        .map(
          (name) =>
            `  #${name} = null\n  get ${name}() { return this.#${name} }\n  set ${name}(x) { this.#${name} = x }\n`,
        )
        .join(''),
    },
  ],
}

/** An esbuild plugin. */
export const changeDriver = {
  name: 'change-driver',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]postgres[\\/]src[\\/](query|queue|index|result)\.js$/ }, async ({ path: file }) => {
      let code = await readFile(file, 'utf8')
      for (const { from, to } of CHANGES[path.basename(file)]) {
        if (!code.includes(from)) throw new Error(`${file} no longer says:\n${from}See docs/decisions/0013 and 0014.`)
        code = code.replace(from, () => to)
      }
      return { contents: code, loader: 'js' }
    })
  },
}
