import { withoutNeedlessEscapes } from '../engines/markdown/index.ts'
import type { Ctx } from '../kernel/context.ts'
import { storedDocumentTexts } from '../product/documents/index.ts'
import { listProjects, loadProject, operatorCtx, type Project } from '../product/projects/index.ts'
import { storedWorkOrderTexts } from '../product/work-orders/index.ts'
import type { Command } from './command.ts'

export const textCommands: Record<string, Command> = {
  'text drop-escapes': {
    usage: '[--project NAME_OR_ID] [--dry-run]',
    flags: { project: 'text', 'dry-run': 'switch' },
    async run({ sql, wiring, log }, flags) {
      const named = flags.optional('project')
      const projects = named === undefined ? await listProjects(sql) : [await loadProject(sql, named)]
      const isDry = flags.given('dry-run')
      const found: Found[] = []
      for (const project of projects)
        found.push(...(await dropEscapes(operatorCtx({ db: sql, wiring, log }, project), project, isDry)))
      const [changed, skipped] = [found.filter((one) => one.isDone), found.filter((one) => !one.isDone)]
      return {
        dry_run: isDry,
        texts: changed.length,
        backslashes: changed.reduce((sum, one) => sum + one.backslashes, 0),
        changed: changed.map(present),
        skipped: skipped.map(present),
      }
    },
  },
}

interface Found {
  project: Project
  kind: string
  id: string
  title: string
  backslashes: number
  /** False if somebody changed the text at the same moment. */
  isDone: boolean
}

/** Each text is written in a transaction of its own, so a command that ends early has done a part, and can be repeated. */
async function dropEscapes(ctx: Ctx, project: Project, isDry: boolean): Promise<Found[]> {
  const found: Found[] = []
  for (const texts of [storedDocumentTexts, storedWorkOrderTexts])
    for await (const { kind, id, title, text, replace } of texts(ctx, '\\')) {
      const shorter = withoutNeedlessEscapes(text)
      if (shorter === text) continue
      const isDone = isDry || (await replace(shorter))
      found.push({ project, kind, id, title, backslashes: text.length - shorter.length, isDone })
    }
  return found
}

const present = ({ project, kind, id, title, backslashes }: Found) => ({
  project: project.name,
  kind,
  id,
  title,
  backslashes,
})
