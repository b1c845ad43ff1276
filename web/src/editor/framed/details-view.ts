import type { NodeViewConstructor } from 'prosemirror-view'
import { readDetails, withSummary } from '../../lib/details.ts'
import { isFolded, toggleFold } from './framing.ts'

/** The line that opens and closes details, with their title to write in. Decorations fold what follows. */
export const detailsView: NodeViewConstructor = (first, view, getPos, decorations) => {
  let node = first
  const dom = document.createElement('div')
  dom.className = 'details'
  dom.contentEditable = 'false'
  const toggle = document.createElement('button')
  toggle.type = 'button'
  toggle.className = 'details-toggle'
  const title = document.createElement('input')
  title.className = 'details-title'
  title.setAttribute('aria-label', 'Title of the details')
  const rest = document.createElement('p')
  rest.className = 'details-rest'
  dom.append(toggle, title, rest)

  toggle.addEventListener('mousedown', (event) => event.preventDefault())
  toggle.addEventListener('click', () => {
    toggleFold(view, node)
    show()
  })
  const save = () => {
    const at = getPos()
    const html = withSummary(node.attrs.html, title.value.trim())
    if (at === undefined || !view.editable || title.readOnly || html === node.attrs.html) return
    view.dispatch(view.state.tr.setNodeAttribute(at, 'html', html))
  }
  title.addEventListener('change', save)
  title.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    save()
    view.focus()
  })
  let state = stateOf(decorations)
  const show = () => {
    const found = readDetails(node.attrs.html)!
    const isOpen = found.end === 'both' ? !isFolded(node) : state === 'open'
    dom.dataset.state = isOpen ? 'open' : 'closed'
    toggle.setAttribute('aria-expanded', String(isOpen))
    toggle.setAttribute('aria-label', isOpen ? 'Close the details' : 'Open the details')
    if (document.activeElement !== title) title.value = found.summary || 'Details'
    // Tags and character references are written in the markdown.
    title.readOnly = !view.editable || !/<summary>/i.test(node.attrs.html) || /[<&]/.test(found.summary)
    rest.textContent = found.rest
    rest.hidden = !isOpen || found.rest === ''
  }
  show()
  return {
    dom,
    update(next, decorations) {
      const found = next.type === node.type ? readDetails(next.attrs.html) : undefined
      if (!found || found.end === 'closing') return false
      node = next
      state = stateOf(decorations)
      show()
      return true
    },
    ignoreMutation: () => true,
    stopEvent: (event) => event.target === title || event.target === toggle,
  }
}

const stateOf = (decorations: readonly { type?: unknown; spec?: unknown }[]): string =>
  decorations
    .map((one) => (one.type as { attrs?: Record<string, string> } | undefined)?.attrs?.['data-details'])
    .find((found) => found !== undefined) ?? 'open'
