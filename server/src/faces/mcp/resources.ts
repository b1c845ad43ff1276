import type { Ctx } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Tool } from '../../kernel/slice.ts'

interface Listed {
  id: string
  title: string
  work_order_number?: number
}

/** What a client can offer people to add to a conversation, and how its text is read. */
interface ResourceKind {
  path: string
  name: string
  list: string
  read: string
  idField: string
}

const KINDS: ResourceKind[] = [
  {
    path: 'work_orders',
    name: 'Work order',
    list: 'list_work_orders',
    read: 'get_work_order',
    idField: 'work_order_id',
  },
  {
    path: 'requirements',
    name: 'Requirement',
    list: 'list_requirements_documents',
    read: 'get_requirements_document',
    idField: 'id',
  },
  { path: 'blueprints', name: 'Blueprint', list: 'list_blueprints', read: 'get_blueprint', idField: 'id' },
]

const toolOf = (ctx: Ctx, name: string): Tool => ctx.wiring.tools.get(name)!

/** The first page of each kind. The templates reach the others. */
export async function listResources(ctx: Ctx) {
  const lists = await Promise.all(
    KINDS.map(async ({ path, name, list }) => {
      const sort = path === 'work_orders' ? { sort: '-updated' } : {}
      const { items } = (await toolOf(ctx, list).run(ctx, { page: 1, ...sort })) as { items: Listed[] }
      return items.map(({ id, title, work_order_number: number }) => ({
        uri: `slipway://${path}/${id}`,
        name: number === undefined ? title : `WO-${number} ${title}`,
        description: name,
        mimeType: 'text/markdown',
      }))
    }),
  )
  return lists.flat()
}

export const RESOURCE_TEMPLATES = KINDS.map(({ path, name }) => ({
  uriTemplate: `slipway://${path}/{id}`,
  name,
  mimeType: 'text/markdown',
}))

export async function readResource(ctx: Ctx, uri: string): Promise<string> {
  const [, path, id] = /^slipway:\/\/(\w+)\/([0-9a-fA-F-]{36})$/.exec(uri) ?? []
  const kind = KINDS.find((one) => one.path === path)
  if (!kind) throw notFound('resource', uri)
  const found = await toolOf(ctx, kind.read).run(ctx, { [kind.idField]: id })
  const { title, markdown_content } = found as { title: string; markdown_content: string }
  return `# ${title}\n\n${markdown_content}`
}
