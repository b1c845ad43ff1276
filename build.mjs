/** Builds the server, the web app and the command line side by side. Each does nothing if its output is fresh. */
await Promise.all([import('./server/build.mjs'), import('./web/build.mjs'), import('./cli/build.mjs')])
