import { check } from 'recheck'
import { expect, test } from 'vitest'
import { listRegularExpressions } from './regular-expressions.ts'

/** Files whose expressions may take long, because nobody can give them a text that does. */
const TRUSTED_FILES: Record<string, string> = {
  'server/src/admin/command.ts': 'It reads our own description of the commands.',
  'server/src/config.ts': 'The operator writes the settings.',
  'server/src/demo/': 'It reads our own content.',
  'server/src/engines/embedded-postgres/': 'It reads what PostgreSQL logs while it starts.',
  'server/src/product/feedback/triage/':
    'Reports have at most 100,000 characters and are read in a thread with a deadline.',
  'server/src/engines/meaning/': 'Only triage uses it, in a thread with a deadline.',
  'server/src/faces/guides/pages.ts': 'It reads our own guides.',
  'server/src/faces/web/index.ts': 'It reads our own page.',
  'web/src/lib/uploads/files.ts': 'It reads what a person pastes, in their own tab.',
  'web/src/editor/clean-html.ts': 'It reads what a person pastes, in their own tab.',
  'web/src/editor/input-rules.ts': 'ProseMirror gives it at most 500 characters before the cursor.',
  'web/src/ui/MentionField.tsx': 'It reads what a person types before the cursor, in their own tab.',
  'web/src/documents/search/pattern.ts': 'It reads the line that a person types to search, in their own tab.',
  'web/src/ui/toolbar/filter-field.ts': 'It reads the line that a person types to filter, in their own tab.',
}

/** Expressions that the checker finds slow or cannot judge: file, beginning, and why no text makes them take long. */
const BOUNDED: [string, string, string][] = [
  ['server/src/faces/app-api/single-sign-on-routes.ts', '^/(?!/)', 'The path has at most 2,000 characters.'],
  ['web/src/editor/links/typed-addresses.ts', '[^\\s', 'It reads the last 2,000 characters before the cursor.'],
  ['server/src/product/artifacts/artifact.ts', '^\\/+|', 'The path of a folder has at most 4,000 characters.'],
  [
    'server/src/product/feedback/schema.ts',
    '^(?!(?:.*/)?',
    'It looks for its one slash from the end, once, in at most 1 MiB.',
  ],
  ['server/src/product/integrations/client.ts', '\\.+$', 'It reads the first 300 characters of a message.'],
  ['server/src/product/oauth/client.ts', '^(javascript|', 'It reads the scheme of an address.'],
  ['server/src/engines/markdown/snippet.ts', '<!--', 'It reads ten times as much as a snippet is long.'],
  ['server/src/engines/markdown/snippet.ts', '<\\/?[a-z]', 'It reads ten times as much as a snippet is long.'],
  ['server/src/kernel/http/validation.ts', '^(?=[^@]{1,64}@)', 'It stops after 64 characters without an @.'],
  ['server/src/product/transfers/importing/rows.ts', '[0-9a-f]{8}-', 'It has a fixed length.'],
  ['server/src/engines/markdown/read/literal-addresses.ts', '(?<!', 'Each word is the beginning of at most one match.'],
  [
    'server/src/engines/markdown/read/read-blocks.ts',
    '(?:\\r\\n|\\n|\\r)(?:---',
    'Each line is the beginning of at most one match.',
  ],
  ['server/src/engines/markdown/write/escape-text.ts', '["\\\\]|&', 'No part of it repeats but the name of an entity.'],
  [
    'server/src/engines/markdown/read/raw-inline.ts',
    '<([a-zA-Z0-9.!',
    'It is tried once at each <, and reads up to the next.',
  ],
  ['server/src/engines/markdown/write/escape-text.ts', '[\\\\`*]', 'No part of it repeats but the name of an entity.'],
  [
    'web/src/editor/comparing/merge-words.ts',
    '(?<! {2}|',
    'Each run of white space is the beginning of at most one match.',
  ],
]

const isTrusted = (file: string) => Object.keys(TRUSTED_FILES).some((place) => file.startsWith(place))

test('no text that others write can make a regular expression take long', { timeout: 300_000 }, async () => {
  const slow: string[] = []
  for (const { pattern, flags, file } of listRegularExpressions()) {
    if (isTrusted(file) || BOUNDED.some(([place, beginning]) => file === place && pattern.startsWith(beginning)))
      continue
    const found = await check(pattern, flags, { timeout: 10_000 })
    if (found.status !== 'safe') slow.push(`${file}: /${pattern}/${flags} is ${found.status}`)
  }
  expect(slow).toEqual([])
})

test('every exception is still in the sources', () => {
  const all = listRegularExpressions()
  for (const place of Object.keys(TRUSTED_FILES))
    expect(
      all.some(({ file }) => file.startsWith(place)),
      place,
    ).toBe(true)
  for (const [place, beginning] of BOUNDED)
    expect(
      all.some(({ file, pattern }) => file === place && pattern.startsWith(beginning)),
      beginning,
    ).toBe(true)
})
