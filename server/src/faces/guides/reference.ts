import { existsSync, readdirSync } from 'node:fs'
import { linksTo, type Page } from './pages.ts'

/** What the build of the web made. There is nothing in a checkout without a build. */
const ASSETS = new URL('../../../../web/dist/assets/', import.meta.url)
const listAssets = () => (existsSync(ASSETS) ? readdirSync(ASSETS) : [])

/** The program that shows the reference writes styles into the page. It can load and call nothing but this server. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The program that shows the reference. */
export const findScalar = () => listAssets().find((name) => /^scalar-[\d.]+\.js$/.test(name))

const FONTS = {
  Inter: /^inter-latin-wght-normal.*\.woff2$/,
  'JetBrains Mono': /^jetbrains-mono-latin-wght-normal.*\.woff2$/,
}

/** The fonts of the workspace, for the documentation. */
export function fontsCss(): string {
  const assets = listAssets()
  const faces = Object.entries(FONTS).map(([family, pattern]) => {
    const file = assets.find((name) => pattern.test(name))
    const source = `src: url(/assets/${file}) format("woff2"); font-weight: 100 900; font-display: swap`
    return file ? `@font-face { font-family: "${family}"; ${source} }\n` : ''
  })
  return faces.join('')
}

export const renderReference = (pages: Page[], scalar: string | undefined) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Slipway</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/fonts.css">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<header>
<a class="home" href="/"><img src="/favicon.svg" alt="" width="20" height="20">Slipway</a>
<a href="/docs" aria-current="page">API reference</a>
<details>
<summary>Guides</summary>
<nav aria-label="Guides">${linksTo(pages)}</nav>
</details>
</header>
<main id="reference"><p class="waiting">${scalar ? 'The reference is loading…' : 'The reference is part of the built web app. Run <code>npm run build</code>.'}</p>
<noscript><p>The reference needs JavaScript. The <a href="/docs/api/conventions">API guides</a> do not.</p></noscript></main>
${scalar ? `<script src="/assets/${scalar}" defer></script>\n<script src="/docs/reference.js" defer></script>\n` : ''}</body>
</html>
`
