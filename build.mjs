/** Builds the server and the web app side by side. Each does nothing if its output is fresh. */
await Promise.all([import('./server/build.mjs'), import('./web/build.mjs')])
