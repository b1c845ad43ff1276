import { make } from './element.ts'
import { createForm } from './form.ts'
import { createSender, Refused } from './send.ts'

/** The build inserts the style sheet here. */
declare const STYLE: string
/** The server inserts what the project has chosen. Attributes of the script tag come before it. */
declare const OPTIONS: Record<string, string | boolean | null>

/**
 * A button on someone else's page that opens a form and sends its content to the reporting API. It lives in a shadow
 * tree, so page styles and widget styles do not affect each other.
 */
function start(script: HTMLScriptElement) {
  const { key = '', email = '', preview, ...own } = script.dataset
  const { label, theme, position, accent, screenshots } = { ...OPTIONS, ...own }
  if (!key) return console.error('Slipway: the script tag needs a data-key with a reporting key.')
  const host = make('div', { 'data-position': String(position) })
  const shadow = host.attachShadow({ mode: 'open' })
  // The page's content security policy does not apply to this, unlike to a style element.
  const style = new CSSStyleSheet()
  style.replaceSync(STYLE)
  shadow.adoptedStyleSheets = [style]

  const isDark = matchMedia('(prefers-color-scheme: dark)')
  const paint = () => {
    host.dataset.theme = theme === 'light' || theme === 'dark' ? theme : isDark.matches ? 'dark' : 'light'
  }
  isDark.addEventListener('change', paint)
  paint()
  if (typeof accent === 'string' && /^#[0-9a-f]{6}$/i.test(accent)) paintAccent(host, accent)

  const send = preview ? refuseToSend : createSender(new URL('.', script.src).href.replace(/\/$/, ''), key)
  const form = createForm(send, email, String(screenshots) !== 'false')
  const opener = make('button', { class: 'opener main', 'aria-haspopup': 'dialog' }, String(label))
  opener.onclick = form.open
  shadow.append(opener, form.dialog)
  document.body.append(host)
  Object.assign(window, { slipwayFeedback: { open: form.open } })
}

/** Text on the accent is black or white, whichever has more contrast. */
function paintAccent({ style }: HTMLElement, accent: string) {
  const [red, green, blue] = [1, 3, 5].map((at) => (Number.parseInt(accent.slice(at, at + 2), 16) / 255) ** 2.2)
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
  style.setProperty('--accent', accent)
  style.setProperty('--accent-ink', luminance > 0.18 ? '#000000' : '#ffffff')
}

const refuseToSend = () => Promise.reject(new Refused('This is a preview. Nothing was sent.'))

const script = (document.currentScript ??
  document.querySelector('script[data-key][src*="/widget.js"]')) as HTMLScriptElement
if (document.body) start(script)
else document.addEventListener('DOMContentLoaded', () => start(script))
