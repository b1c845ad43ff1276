import { findChanges, readProposal } from '@slipway/server/markdown'
import type { Node } from 'prosemirror-model'
import type { NodeView, NodeViewConstructor } from 'prosemirror-view'
import { writeClipboard } from '../lib/clipboard.ts'
import { readDetails } from '../lib/details.ts'
import { drawDiagram } from './diagrams.ts'
import { detailsView } from './framed/details-view.ts'
import { imageView } from './images/image-view.ts'
import { schema } from './schema.ts'
import { proposalView } from './suggesting/proposal-view.ts'

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  text = '',
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text) made.textContent = text
  return made
}

/** A list item. A task has a box that is ticked in place. */
const listItem: NodeViewConstructor = (first, view, getPos) => {
  let node = first
  const dom = element('li')
  const contentDOM = element('div', 'item')
  let box: HTMLInputElement | undefined
  const show = () => {
    const { checked } = node.attrs
    if (checked === null) {
      box?.remove()
      delete dom.dataset.checked
      return
    }
    box ??= taskBox(() => {
      const at = getPos()
      if (view.editable && at !== undefined)
        view.dispatch(view.state.tr.setNodeAttribute(at, 'checked', !node.attrs.checked))
    })
    box.checked = checked
    box.disabled = !view.editable
    box.setAttribute('aria-label', node.firstChild?.textContent || 'Task')
    dom.dataset.checked = String(checked)
    if (!box.isConnected) dom.prepend(box)
  }
  dom.append(contentDOM)
  show()
  return {
    dom,
    contentDOM,
    update(next) {
      if (next.type !== schema.nodes.list_item) return false
      node = next
      show()
      return true
    },
    ignoreMutation: (mutation) => mutation.type !== 'selection' && !contentDOM.contains(mutation.target),
    stopEvent: (event) => event.target === box,
  }
}

function taskBox(onClick: () => void): HTMLInputElement {
  const box = element('input', 'box')
  box.type = 'checkbox'
  box.contentEditable = 'false'
  box.addEventListener('mousedown', (event) => event.preventDefault())
  box.addEventListener('click', (event) => {
    event.preventDefault()
    onClick()
  })
  return box
}

/** Code with its language and a button to copy it. A Mermaid diagram is drawn below its source. */
const codeBlock: NodeViewConstructor = (first, view, getPos) => {
  let node = first
  const dom = element('div', 'code')
  const bar = element('div', 'code-bar')
  bar.contentEditable = 'false'
  const language = element('input', 'code-language')
  language.setAttribute('aria-label', 'Language of the code')
  language.placeholder = 'plain text'
  language.spellcheck = false
  const copy = element('button', 'code-copy', 'Copy')
  copy.type = 'button'
  const source = element('button', 'code-copy', 'Source')
  source.type = 'button'
  bar.append(language, source, copy)
  const pre = element('pre')
  const contentDOM = element('code')
  contentDOM.spellcheck = false
  pre.append(contentDOM)
  const picture = element('div', 'diagram')
  picture.contentEditable = 'false'
  dom.append(bar, pre)

  const setLanguage = () => {
    const at = getPos()
    const info = language.value.trim()
    if (at !== undefined && view.editable && info !== node.attrs.info)
      view.dispatch(view.state.tr.setNodeAttribute(at, 'info', info))
  }
  language.addEventListener('change', setLanguage)
  language.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    setLanguage()
    view.focus()
  })
  copy.addEventListener('click', async () => {
    await writeClipboard(node.textContent)
    copy.textContent = 'Copied'
    setTimeout(() => {
      copy.textContent = 'Copy'
    }, 2_000)
  })
  // A diagram hides its source until someone wants it, or has just made it.
  const at = getPos()
  const { from, to } = view.state.selection
  let isOpen = view.hasFocus() && at !== undefined && from >= at && to <= at + node.nodeSize
  source.addEventListener('click', () => {
    isOpen = !isOpen
    show(node)
  })
  let stop: (() => void) | undefined
  const show = (before?: Node) => {
    if (document.activeElement !== language) language.value = node.attrs.info
    language.readOnly = !view.editable
    language.size = Math.max(10, language.value.length)
    const isDiagram = /^mermaid\b/i.test(node.attrs.info)
    dom.dataset.kind = isDiagram ? (isOpen ? 'diagram-source' : 'diagram') : 'code'
    source.hidden = !isDiagram
    source.setAttribute('aria-expanded', String(isOpen))
    if (!isDiagram) picture.remove()
    else if (before?.textContent !== node.textContent || !picture.isConnected) {
      dom.append(picture)
      stop?.()
      stop = drawDiagram(picture, node.textContent)
    }
  }
  show()
  return {
    dom,
    contentDOM,
    update(next) {
      if (next.type !== schema.nodes.code_block) return false
      const before = node
      node = next
      show(before)
      return true
    },
    ignoreMutation: (mutation) => mutation.type !== 'selection' && !contentDOM.contains(mutation.target),
    stopEvent: (event) => bar.contains(event.target as HTMLElement) || picture.contains(event.target as HTMLElement),
    destroy: () => stop?.(),
  }
}

/** Shows a block that has no rich form as what it is, with pending changes in it marked. */
const verbatim =
  (kind: string, attribute: string): NodeViewConstructor =>
  (node) => {
    const dom = element('figure', 'verbatim')
    dom.contentEditable = 'false'
    dom.append(element('figcaption', '', kind))
    const pre = element('pre')
    pre.append(...withChanges(String(node.attrs[attribute])))
    dom.append(pre)
    return {
      dom,
      update: (next) => next.type === node.type && next.attrs[attribute] === node.attrs[attribute],
      ignoreMutation: () => true,
    } satisfies NodeView
  }

function withChanges(source: string): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = []
  let at = 0
  for (const { kind, text, from, to } of findChanges(source)) {
    parts.push(source.slice(at, from), element(kind === 'insertion' ? 'ins' : 'del', '', text))
    at = to
  }
  parts.push(source.slice(at))
  return parts
}

export const nodeViews: Record<string, NodeViewConstructor> = {
  list_item: listItem,
  code_block: codeBlock,
  html_block: (node, ...rest) => {
    const end = readDetails(node.attrs.html)?.end
    return end && end !== 'closing' ? detailsView(node, ...rest) : verbatim('HTML', 'html')(node, ...rest)
  },
  link_definition: verbatim('Link definition', 'source'),
  front_matter: verbatim('Front matter', 'source'),
  opaque_block: (node, view, getPos, ...rest) =>
    readProposal(node.attrs.source)
      ? proposalView(node, view, getPos)
      : verbatim('Markdown', 'source')(node, view, getPos, ...rest),
  image: imageView,
}
