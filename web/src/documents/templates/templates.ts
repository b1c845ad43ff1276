import type { Tree, TreeNode } from '../api.ts'

export interface Template {
  name: string
  markdown: string
}

export const TEMPLATES: Template[] = [
  {
    name: 'Requirement',
    markdown: `## Problem

Who needs this, and what happens without it?

## Outcome

What is true once it is done?

## Acceptance criteria

- [ ] Given …, when …, then …

## Out of scope

- …

## Open questions

- …
`,
  },
  {
    name: 'Decision',
    markdown: `## Context

What forces a decision?

## Options

| Option | For | Against |
| --- | --- | --- |
| … | … | … |

## Decision

We choose …, because …

## Consequences

- …
`,
  },
  {
    name: 'Meeting',
    markdown: `**Date:** …\\
**People:** …

## Agenda

1. …

## Notes

- …

## Decisions

- …

## Next steps

- [ ] Who does what until when
`,
  },
]

/** Every document directly below one that is called "Templates" is a template. */
export function ownTemplates(tree: Tree | undefined): TreeNode[] {
  const homes = new Set(
    tree?.nodes.filter(({ title }) => title.trim().toLowerCase() === 'templates').map(({ id }) => id),
  )
  return tree?.nodes.filter(({ parent_id }) => parent_id !== null && homes.has(parent_id)) ?? []
}
