import type { Drawn, Wanted } from './diagram/messages.ts'

/**
 * Mermaid writes styles and markup into the page, which the policy of our pages forbids. It runs in a frame that has no
 * origin, so it can reach nothing of ours, and what it draws is shown as a picture, in which nothing can run.
 */
let frame: Promise<HTMLIFrameElement> | undefined
let last = 0
const waiting = new Map<number, (drawn: Drawn) => void>()

function openFrame(): Promise<HTMLIFrameElement> {
  const made = document.createElement('iframe')
  made.src = '/diagram.html'
  made.title = 'Draws diagrams'
  made.tabIndex = -1
  made.ariaHidden = 'true'
  // Text is measured, so it must not be display: none.
  made.style.cssText = 'position:fixed;left:-9999px;top:0;width:1200px;height:800px;border:0;visibility:hidden'
  return new Promise((resolve) => {
    addEventListener('message', ({ source, data }) => {
      if (source !== made.contentWindow) return
      if (data === 'ready') resolve(made)
      else {
        const drawn = data as Drawn
        waiting.get(drawn.id)?.(drawn)
        waiting.delete(drawn.id)
      }
    })
    document.body.append(made)
  })
}

async function draw(code: string): Promise<Drawn> {
  frame ??= openFrame()
  const { contentWindow } = await frame
  const id = ++last
  const isDark = document.documentElement.dataset.mantineColorScheme === 'dark'
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    // A page without an origin can be addressed in no other way.
    contentWindow?.postMessage({ id, code, isDark } satisfies Wanted, '*')
  })
}

const PAUSE_MS = 250

/** Draws into an element, and again when the color scheme changes. Returns how to stop. */
export function drawDiagram(into: HTMLElement, code: string): () => void {
  let isOver = false
  let address: string | undefined
  const run = async () => {
    if (code.trim() === '') {
      into.replaceChildren()
      return
    }
    const drawn = await draw(code)
    if (isOver) return
    if (address) URL.revokeObjectURL(address)
    if (drawn.svg === undefined) {
      const fault = document.createElement('p')
      fault.className = 'diagram-fault'
      fault.textContent = drawn.fault ?? 'This diagram cannot be drawn.'
      into.replaceChildren(fault)
      return
    }
    address = URL.createObjectURL(new Blob([drawn.svg], { type: 'image/svg+xml' }))
    const picture = document.createElement('img')
    picture.src = address
    picture.alt = `Diagram: ${code.split('\n', 1)[0]}`
    if (drawn.width) picture.width = Math.ceil(drawn.width)
    into.replaceChildren(picture)
  }
  const timer = setTimeout(run, into.childElementCount === 0 ? 0 : PAUSE_MS)
  const watcher = new MutationObserver(() => void run())
  watcher.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
  return () => {
    isOver = true
    clearTimeout(timer)
    watcher.disconnect()
    if (address) URL.revokeObjectURL(address)
  }
}
