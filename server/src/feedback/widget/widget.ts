import { make } from './element.ts'
import { createForm } from './form.ts'
import { createSender } from './send.ts'

/** The build inserts the style sheet here. */
declare const STYLE: string

/**
 * A button on someone else's page that opens a form and sends its content to the reporting API. It lives in a shadow
 * tree, so page styles and widget styles do not affect each other.
 */
function start(script: HTMLScriptElement) {
  const { key = '', email = '', label = 'Feedback', theme, position = 'right' } = script.dataset
  if (!key) return console.error('Slipway: the script tag needs a data-key with a reporting key.')
  const host = make('div', { 'data-position': position })
  const shadow = host.attachShadow({ mode: 'open' })
  // The page's content security policy does not apply to this, unlike to a style element.
  const style = new CSSStyleSheet()
  style.replaceSync(STYLE)
  shadow.adoptedStyleSheets = [style]

  const isDark = matchMedia('(prefers-color-scheme: dark)')
  const paint = () => {
    host.dataset.theme = theme ?? (isDark.matches ? 'dark' : 'light')
  }
  isDark.addEventListener('change', paint)
  paint()

  const form = createForm(createSender(new URL('.', script.src).href.replace(/\/$/, ''), key), email)
  const opener = make('button', { class: 'opener main', 'aria-haspopup': 'dialog' }, label)
  opener.onclick = form.open
  shadow.append(opener, form.dialog)
  document.body.append(host)
  Object.assign(window, { slipwayFeedback: { open: form.open } })
}

const script = (document.currentScript ??
  document.querySelector('script[data-key][src*="/widget.js"]')) as HTMLScriptElement
if (document.body) start(script)
else document.addEventListener('DOMContentLoaded', () => start(script))
