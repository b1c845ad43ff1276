import mermaid from 'mermaid'
import type { Drawn, Wanted } from './messages.ts'

/** Runs in a frame of its own; see `editor/diagrams.ts`. */
const LIGHT = {
  background: '#f6f6f4',
  primaryColor: '#ffffff',
  primaryTextColor: '#1c1c1a',
  primaryBorderColor: '#8cc7d1',
  lineColor: '#5c5b56',
  secondaryColor: '#e3f1f3',
  tertiaryColor: '#f0f0ed',
  edgeLabelBackground: '#f6f6f4',
}
const DARK = {
  background: '#101112',
  primaryColor: '#1d1f20',
  primaryTextColor: '#ececea',
  primaryBorderColor: '#2a6f7c',
  lineColor: '#b0afa9',
  secondaryColor: '#12343b',
  tertiaryColor: '#232526',
  edgeLabelBackground: '#101112',
}

async function draw({ id, code, isDark }: Wanted): Promise<Drawn> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    theme: 'base',
    themeVariables: { ...(isDark ? DARK : LIGHT), darkMode: isDark, fontSize: '14px' },
    // A picture has no fonts of the page, and shows no HTML in every browser.
    fontFamily: 'system-ui, sans-serif',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
  })
  try {
    const { svg } = await mermaid.render(`diagram-${id}`, code)
    const width = Number(/viewBox="[-\d.]+ [-\d.]+ ([\d.]+)/.exec(svg)?.[1])
    return { id, svg, ...(width > 0 && { width }) }
  } catch (err) {
    return { id, fault: (err as Error).message }
  }
}

let last: Promise<unknown> = Promise.resolve()
addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== location.origin) return
  // Mermaid keeps its configuration in one place, so diagrams are drawn one after the other.
  last = last.then(async () => parent.postMessage(await draw(data as Wanted), location.origin))
})
parent.postMessage('ready', location.origin)
