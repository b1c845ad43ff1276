import { existsSync, readdirSync } from 'node:fs'
import { linksTo, type Page } from './pages.ts'

const ASSETS = new URL('../../../web/dist/assets/', import.meta.url)

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

/** The file that the build of the web made. Undefined if there is none, as in a checkout without a build. */
export const findScalar = () =>
  existsSync(ASSETS) ? readdirSync(ASSETS).find((name) => /^scalar-[\d.]+\.js$/.test(name)) : undefined

export const renderReference = (pages: Page[], scalar: string | undefined) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Slipway</title>
<link rel="icon" href="/favicon.svg">
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
