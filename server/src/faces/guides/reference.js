// Runs on the page of the reference only.
const described = (title, slug, name) => ({ title, slug, url: `/docs/${name}.openapi.json` })
const dark = matchMedia('(prefers-color-scheme: dark)')

window.Scalar.createApiReference('#reference', {
  sources: [
    { ...described('External API', 'external', 'external'), default: true },
    described('Reporting API', 'reporting', 'reporting'),
    described('App API', 'app', 'app'),
  ],
  // The address in the documents may be another name of this server, which a browser would not let the page call.
  servers: [{ url: location.origin }],
  authentication: { preferredSecurityScheme: 'ApiKey' },
  // A key stays in this tab.
  persistAuth: false,
  theme: 'none',
  forceDarkModeState: dark.matches ? 'dark' : 'light',
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  orderSchemaPropertiesBy: 'preserve',
})
