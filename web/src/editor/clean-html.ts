/**
 * HTML as programs put it on the clipboard, without what belongs to them. What they say with styles becomes elements: the
 * policy of the page does not let styles of a text apply, so that the editor could not read them.
 */
export function cleanHtml(html: string): string {
  // Copied in this editor: nothing to clean.
  if (html.includes('data-pm-slice')) return html
  const inert = withoutMargins(html)
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<style\b[\s\S]*?<\/style>/gi, '')
    .replaceAll(/<!\[(?:if|endif)[^>]*>/gi, '')
    .replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/\sstyle\s*=/gi, ' data-style='))
  const { body } = new DOMParser().parseFromString(trusted(inert), 'text/html')
  for (const one of body.querySelectorAll('style, script, xml, title, meta, link, o\\:p')) one.remove()
  makeLists(body)
  for (const one of body.querySelectorAll<HTMLElement>('[data-style]:not(td, th)')) applyStyle(one)
  for (const table of [...body.querySelectorAll('table')].reverse()) simplifyTable(table)
  for (const one of body.querySelectorAll<HTMLElement>('[data-style]')) applyStyle(one)
  for (const one of body.querySelectorAll('p')) if (!one.textContent?.trim() && !one.querySelector('img')) one.remove()
  if (!body.querySelector(`${BLOCKS}, pre, br, img`) && body.textContent?.trim()) keepSpaces(body)
  return body.innerHTML
}

/** Line breaks that the system puts around what was copied. */
const withoutMargins = (html: string) =>
  html
    .replace(/^[\s\S]*?<!--StartFragment-->/, (head) => head.replaceAll(/\s+(?=<)/g, ''))
    .replace(/<!--EndFragment-->[\s\S]*$/, (tail) => tail.replaceAll(/\s+/g, ''))

/** Words of a line keep the spaces around them, as in what is copied in this editor. */
function keepSpaces(body: HTMLElement): void {
  const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) texts.currentNode.nodeValue = texts.currentNode.nodeValue!.replaceAll(/[ \t\r\n\f]+/g, ' ')
  const line = body.ownerDocument.createElement('p')
  line.dataset.pmSlice = '1 1 []'
  line.append(...body.childNodes)
  body.append(line)
}

const BLOCKS = 'p, div, li, ul, ol, h1, h2, h3, h4, h5, h6, blockquote, table'
const MAX_SPAN = 100

/** A cell of markdown has one line, and spans no others: what a program puts in it is divided by breaks. */
function simplifyTable(table: HTMLTableElement): void {
  const { ownerDocument: page } = table
  for (const cell of table.querySelectorAll<HTMLElement>('td, th')) {
    for (const block of [...cell.querySelectorAll(`${BLOCKS}, pre, tr, td, th, tbody`)].reverse())
      block.replaceWith(page.createElement('br'), ...block.childNodes, page.createElement('br'))
    for (const text of [...cell.childNodes]) if (text.nodeType === 3 && !text.nodeValue?.trim()) trimBlank(text)
    for (const line of [...cell.querySelectorAll('br')]) {
      const isEdge = !line.previousSibling || !line.nextSibling || line.previousSibling.nodeName === 'BR'
      if (isEdge && line.parentNode === cell) line.remove()
      else line.setAttribute('data-html', '<br>')
    }
    if (cell.lastChild?.nodeName === 'BR') cell.lastChild.remove()
  }
  ;[...table.rows].forEach((row, at) => {
    for (const cell of [...row.cells]) {
      const index = cell.cellIndex
      const [across, down] = [Math.min(cell.colSpan, MAX_SPAN), Math.min(cell.rowSpan, MAX_SPAN)]
      for (let column = 1; column < across; column++) cell.after(page.createElement(cell.tagName))
      for (const below of [...table.rows].slice(at + 1, at + down))
        for (let column = 0; column < across; column++)
          below.insertBefore(page.createElement('td'), below.cells[index] ?? null)
    }
  })
}

/** A blank between two blocks says nothing, and one between two words is a space. */
function trimBlank(text: ChildNode): void {
  const isBetween = (one: ChildNode | null) => one === null || one.nodeName === 'BR'
  if (isBetween(text.previousSibling) || isBetween(text.nextSibling)) text.remove()
}

interface Policies {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string }
}

/** Nothing in a document that is only read can run, so it may be made of any text. */
const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('slipway-paste', {
  createHTML: (text) => text,
})
const trusted = (text: string): string => policy?.createHTML(text) ?? text

const styleOf = (one: Element) => (one.getAttribute('data-style') ?? '').toLowerCase().replaceAll(/\s*([:;])\s*/g, '$1')

function applyStyle(one: HTMLElement): void {
  const style = styleOf(one)
  one.removeAttribute('data-style')
  if (/mso-list:ignore/.test(style)) {
    one.remove()
    return
  }
  // What Google Docs wraps everything in.
  if (one.tagName === 'B' && /font-weight:(normal|[1-5]00)/.test(style)) {
    one.replaceWith(...one.childNodes)
    return
  }
  const align = /text-align:(left|center|right)/.exec(style)?.[1]
  if (align && /^T[DH]$/.test(one.tagName)) one.setAttribute('align', align)
  if (/^(H\d|B|STRONG|EM|I|S|DEL|CODE|PRE)$/.test(one.tagName)) return
  if (/font-weight:(bold|[6-9]00)/.test(style)) wrapContent(one, 'strong')
  if (/font-style:italic/.test(style)) wrapContent(one, 'em')
  if (/text-decoration(-line)?:[^;]*line-through/.test(style)) wrapContent(one, 's')
}

function wrapContent(one: HTMLElement, tag: string): void {
  const holders = one.querySelector(BLOCKS) ? [] : [one]
  for (const holder of holders) {
    const wrapper = one.ownerDocument.createElement(tag)
    wrapper.append(...holder.childNodes)
    holder.append(wrapper)
  }
}

/** Word has no lists: each item is a paragraph that names its list and level and begins with its sign. */
function makeLists(body: HTMLElement): void {
  let open: { list: HTMLElement; level: number }[] = []
  for (const one of [...body.querySelectorAll<HTMLElement>('p')]) {
    const level = Number(/mso-list:[^;]*level(\d)/.exec(styleOf(one))?.[1] ?? 0)
    if (level === 0) continue
    const sign = [...one.querySelectorAll('[data-style]')].find((part) => /mso-list:ignore/.test(styleOf(part)))
    const tag = /^\s*(\d+|[a-z]+)[.)]/i.test(sign?.textContent ?? '') ? 'ol' : 'ul'
    sign?.remove()
    const item = one.ownerDocument.createElement('li')
    item.append(...one.childNodes)
    const last = open.at(-1)?.list
    // A paragraph between two items ends the list.
    if (open[0] && one.previousElementSibling !== open[0].list) open = []
    while (open.length > 0 && open.at(-1)!.level > level) open.pop()
    if (open.at(-1)?.level !== level) {
      const list = one.ownerDocument.createElement(tag)
      const holder = open.at(-1)?.list.lastElementChild
      if (holder && last) holder.append(list)
      else one.before(list)
      open.push({ list, level })
    }
    open.at(-1)!.list.append(item)
    one.remove()
  }
}
