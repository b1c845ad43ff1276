import type { Client } from '../../../test/harness.ts'
import type { Sql } from '../../kernel/database/index.ts'

export const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export interface TestedKind {
  path: string
  object: string
  /** The name of the path parameter for the id. */
  idParam: string
  /** The fields that a create body needs besides the title. */
  needs: Record<string, unknown>
  /** The tree of new documents, and the field that contains its name in answers. */
  tree: string
  treeField: string
  /** The field that contains the id of a document that is not part of a pair. */
  nodeField: string
  /** How many documents a new project has. */
  total: number
}

/** The kinds with which names, places and access are tested. */
export const KINDS: [string, TestedKind][] = [
  [
    'requirements documents',
    {
      path: '/requirements',
      object: 'requirements_document',
      idParam: 'document_id',
      needs: { document_type: 'OVERVIEW' },
      tree: 'OVERVIEW',
      treeField: 'document_type',
      nodeField: 'overview_tree_node_id',
      total: 6,
    },
  ],
  [
    'blueprints',
    {
      path: '/blueprints',
      object: 'blueprint',
      idParam: 'blueprint_document_id',
      needs: {},
      tree: 'Custom',
      treeField: 'category_name',
      nodeField: 'blueprint_node_id',
      total: 0,
    },
  ],
]

/**
 * The rules of texts are the same code for all kinds, so they are tested in full with one of them. `texts.test.ts` tests the
 * main path with each.
 */
export const KIND_OF_TEXTS = KINDS.slice(1)

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of both kinds
export type Shown = Record<string, any> & { id: string }

export async function createDocument(api: Client, { path, needs }: TestedKind, values = {}): Promise<Shown> {
  const { status, body } = await api.post(path, { title: 'Sign in', ...needs, ...values })
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

export async function createFeature(api: Client, title: string, parentId?: string): Promise<Shown> {
  const { status, body } = await api.post('/requirements', {
    title,
    document_type: 'FEATURE',
    ...(parentId && { parent_id: parentId }),
  })
  if (status !== 201) throw new Error(`POST /requirements answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

/** Returns the blueprint that is paired with a feature. */
export async function blueprintOf(api: Client, featureId: string): Promise<Shown> {
  const { body } = await api.get(`/blueprints?feature_id=${featureId}`)
  return (await api.get(`/blueprints/${body.items[0].id}`)).body.data
}

export async function categoriesOf(api: Client): Promise<Record<string, Shown>> {
  const { items } = (await api.get('/blueprints/categories')).body
  return Object.fromEntries(items.map((item: Shown) => [item.name, item]))
}

/** Creates trees from text such as `a(b c) d` and returns the ids by title. */
export async function plant(
  outline: string,
  create: (title: string, parentId: string | undefined) => Promise<{ id: string }>,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  const above: (string | undefined)[] = [undefined]
  let last: string | undefined
  for (const token of outline.match(/[^\s()]+|[()]/g) ?? []) {
    if (token === '(') above.push(last)
    else if (token === ')') above.pop()
    else {
      last = (await create(token, above.at(-1))).id
      ids[token] = last
    }
  }
  return ids
}

interface Node {
  id: string
  title: string
  parentId: string | null
  position: number
}

/**
 * Returns trees as text, with siblings in order: `a(b c) d`. Reads the table, because no answer shows the order of
 * roots. Throws if positions do not count up from 0 or a document has no path to a root. With `rootId`, returns only
 * its descendants.
 */
export async function outlineOf(sql: Sql, projectId: string, tree: string, rootId?: string): Promise<string> {
  const nodes = await sql<Node[]>`
    select d.id, d.title, d.parent_id as "parentId", d.position from documents d
    join document_trees t on t.project_id = d.project_id and t.id = d.tree_id
    where d.project_id = ${projectId} and t.name = ${tree} order by d.position`
  let reached = 0
  const below = (parentId: string | null): string =>
    nodes
      .filter((node) => node.parentId === parentId)
      .map((node, index) => {
        if (node.position !== index) throw new Error(`"${node.title}" stands at ${node.position}, not at ${index}.`)
        reached++
        const children = below(node.id)
        return children ? `${node.title}(${children})` : node.title
      })
      .join(' ')
  const outline = below(rootId ?? null)
  if (rootId === undefined && reached !== nodes.length)
    throw new Error(`${nodes.length - reached} nodes of ${tree} hang below no root.`)
  return outline
}

/** The roots of the OVERVIEW tree in a new project, as `outlineOf` writes them. */
export const OVERVIEW =
  'Business Problem Current State Product Description Personas Success Metrics Technical Requirements'

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
