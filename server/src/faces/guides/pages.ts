import { readdirSync, readFileSync } from 'node:fs'
import MarkdownIt from 'markdown-it'

export const FOLDER = new URL('../../../../docs/', import.meta.url)

export interface Page {
  /** The path below `/docs/`, without an ending. */
  name: string
  title: string
  group: (typeof GROUPS)[number]
  markdown: string
}

const GROUPS = ['Guides', 'API', 'Decisions'] as const

/** Guides first, in the order of a newcomer, then the API. */
const ORDER = ['web', 'sign-in', 'cli', 'mcp', 'sdk', 'agents', 'webhooks', 'export', 'operating', 'api/conventions']

/** Reads the pages from `docs/`, and that of the SDK. */
export function readPages(folder = FOLDER): Page[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .concat('sdk')
  const rankOf = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  return names
    .sort((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
    .map((name) => {
      const markdown = readFileSync(new URL(name === 'sdk' ? '../sdk/README.md' : `${name}.md`, folder), 'utf8')
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name
      return { name, title, group: groupOf(name), markdown }
    })
}

const groupOf = (name: string): Page['group'] =>
  name.startsWith('api/') ? 'API' : name.startsWith('decisions/') ? 'Decisions' : 'Guides'

export const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]!)

/** Links to all pages, in groups. */
export const linksTo = (pages: Page[], current?: Page) =>
  GROUPS.map((group) => {
    const some = pages
      .filter((one) => one.group === group)
      .map((one) => {
        const here = one === current ? ' aria-current="page"' : ''
        return `<a href="/docs/${one.name}"${here}>${escaped(one.title)}</a>`
      })
    return `<strong>${group}</strong>${some.join('')}`
  }).join('')

export function renderPage(pages: Page[], page: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · Slipway</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/fonts.css">
<link rel="stylesheet" href="/docs/guides.css">
<link rel="alternate" type="text/markdown" href="/docs/${page.name}.md">
</head>
<body>
<main><a class="menu" href="#pages">All pages</a><a class="source" href="/docs/${page.name}.md">Markdown</a>${render(page)}</main>
<nav id="pages" aria-label="Documentation"><a href="/">Workspace</a><a href="/docs">API reference</a>${linksTo(pages, page)}</nav>
</body>
</html>
`
}

// The pages are our own, so their HTML is shown.
const markdownIt = new MarkdownIt({ html: true, linkify: true })

/** Gives headings an id, and leads links between pages to the pages. Links to other files of the source become text. */
function render({ name, markdown }: Page): string {
  const tokens = markdownIt.parse(markdown, {})
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open') token.attrSet('id', slugOf(tokens[at + 1]!.content))
    let isDropped = false
    for (const inline of token.children ?? []) {
      if (inline.type === 'link_open') {
        const href = leadTo(name, String(inline.attrGet('href')))
        isDropped = href === undefined
        if (href) inline.attrSet('href', href)
      }
      if (isDropped && inline.type.startsWith('link_')) inline.type = 'text'
    }
  })
  return markdownIt.renderer.render(tokens, markdownIt.options, {})
}

/** The source of a page, with links that lead to the sources of other pages. */
export const sourceOf = ({ name, markdown }: Page) =>
  markdown.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, text: string, href: string) => {
    const to = leadTo(name, href)
    if (to === undefined) return text
    return to === href ? link : `[${text}](${to.replace(/(?=#|$)/, '.md')})`
  })

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

function leadTo(name: string, href: string): string | undefined {
  if (/^[a-z]+:|^[#/]/.test(href)) return href
  const from = name === 'sdk' ? '/sdk/README' : `/docs/${name}`
  const { pathname, hash } = new URL(href, `http://docs${from}`)
  if (pathname === '/sdk/README.md') return '/docs/sdk'
  return /^\/docs\/.*\.md$/.test(pathname) ? `${pathname.slice(0, -'.md'.length)}${hash}` : undefined
}

/** What language models read first: https://llmstxt.org */
export function llmsTxt(pages: Page[], baseUrl: string): string {
  const line = ({ name, title }: Page) => `- [${title}](${baseUrl}/docs/${name}.md)`
  return [
    '# Slipway',
    '',
    '> An open, self-hosted product-delivery workspace: requirements, blueprints, work orders, feedback, a knowledge base, automations and agent conversations, all reachable over HTTP.',
    '',
    `The external API is described at ${baseUrl}/docs/external.openapi.json, the reporting API at ${baseUrl}/docs/reporting.openapi.json (OpenAPI 3.1, no key needed). People try both at ${baseUrl}/docs. Coding agents connect by MCP at ${baseUrl}/mcp.`,
    '',
    ...GROUPS.flatMap((group) => [`## ${group}`, '', ...pages.filter((page) => page.group === group).map(line), '']),
  ].join('\n')
}
