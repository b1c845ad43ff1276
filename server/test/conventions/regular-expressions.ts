import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'

/** A regular expression of the sources, and where it is used first. */
export interface Found {
  pattern: string
  flags: string
  file: string
}

const root = path.resolve(import.meta.dirname, '../../..')
const FOLDERS = ['server/src', 'web/src', 'sdk/src', 'cli/src']

/** Finds every regular expression whose text is known: literals, `RegExp` of constants, and patterns of schemas. */
export function listRegularExpressions(): Found[] {
  const found = new Map<string, Found>()
  for (const folder of FOLDERS)
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name) || /\.(test|factory|d)\.tsx?$/.test(name)) continue
      const file = path.join(folder, name)
      for (const { pattern, flags } of readFile(file)) {
        const key = `/${pattern}/${flags}`
        if (!found.has(key)) found.set(key, { pattern, flags, file })
      }
    }
  return [...found.values()]
}

function readFile(file: string): Omit<Found, 'file'>[] {
  const { program, errors } = parseSync(file, readFileSync(path.join(root, file), 'utf8'))
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const constants = new Map<string, ESTree.Expression>()
  const found: Omit<Found, 'file'>[] = []
  const textOf = (node: ESTree.Node | null | undefined): string | undefined => {
    if (node?.type === 'Literal')
      return 'regex' in node ? node.regex.pattern : typeof node.value === 'string' ? node.value : undefined
    if (node?.type === 'Identifier') return textOf(constants.get(node.name))
    if (node?.type === 'MemberExpression' && node.property.type === 'Identifier' && node.property.name === 'source')
      return textOf(node.object)
    if (node?.type === 'TaggedTemplateExpression')
      return node.quasi.expressions.length ? undefined : node.quasi.quasis[0]!.value.raw
    if (node?.type !== 'TemplateLiteral') return undefined
    const parts = node.expressions.map(textOf)
    if (parts.includes(undefined)) return undefined
    return node.quasis.map(({ value }, at) => value.cooked + (parts[at] ?? '')).join('')
  }
  const construct = ({ callee, arguments: [source, flags] }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    const pattern = textOf(source)
    if (pattern !== undefined) found.push({ pattern, flags: textOf(flags) ?? '' })
  }
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init)
    },
  }).visit(program)
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ pattern: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: construct,
    CallExpression: construct,
    Property({ key, value }) {
      const pattern = key.type === 'Identifier' && key.name === 'pattern' ? textOf(value) : undefined
      if (pattern !== undefined) found.push({ pattern, flags: 'u' })
    },
  }).visit(program)
  return found
}
