import dart from 'highlight.js/lib/languages/dart'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import elixir from 'highlight.js/lib/languages/elixir'
import gherkin from 'highlight.js/lib/languages/gherkin'
import groovy from 'highlight.js/lib/languages/groovy'
import http from 'highlight.js/lib/languages/http'
import nginx from 'highlight.js/lib/languages/nginx'
import powershell from 'highlight.js/lib/languages/powershell'
import protobuf from 'highlight.js/lib/languages/protobuf'
import scala from 'highlight.js/lib/languages/scala'
import { common, createLowlight } from 'lowlight'

/**
 * The languages that code has colors in. A file of its own, loaded late: of a package that is loaded late itself, the
 * bundler keeps everything, which is all 190 languages.
 */
export const lowlight = createLowlight({
  ...common,
  dart,
  dockerfile,
  elixir,
  gherkin,
  groovy,
  http,
  nginx,
  powershell,
  protobuf,
  scala,
})
