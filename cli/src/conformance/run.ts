import { checkDocuments, checkFeaturePair } from './documents.ts'
import { checkEveryOperation } from './every-operation.ts'
import { checkFeedback } from './feedback.ts'
import { nameOf, OPERATIONS } from './operations.ts'
import { checkArtifacts, checkAutomations, checkConversations, checkService } from './others.ts'
import { Blocked, type Finding, Report } from './report.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { checkWorkOrders } from './work-orders.ts'

export interface Verdict {
  operation: string
  /** `partly` if nothing failed, but something could not be tried. */
  result: 'pass' | 'fail' | 'partly'
  promises: number
  faults: { promise: string; fault: string }[]
  /** What it takes to try the operation itself, if it was not. */
  missing?: string | undefined
}

const GROUPS = [
  checkService,
  checkEveryOperation,
  (report: Report, server: ServerUnderTest) => checkDocuments(report, server, '/requirements'),
  (report: Report, server: ServerUnderTest) => checkDocuments(report, server, '/blueprints'),
  checkFeaturePair,
  checkFeedback,
  checkWorkOrders,
  checkAutomations,
  checkConversations,
  checkArtifacts,
]

/** Operations that can only be tried fully with something that not every project has. */
const CONDITIONAL: Record<string, string> = {
  'POST /v2/reporting-api/feedback': 'a reporting key',
  'GET /feedback/items/{feedback_item_id}': 'a reporting key, or feedback in the project',
  'POST /feedback/themes/{theme_id}/feedback_links': 'a reporting key',
  'DELETE /feedback/themes/{theme_id}/feedback_links/{feedback_item_id}': 'a reporting key',
  'GET /agent_conversations/{conversation_id}': 'a conversation of the creator of the key',
}

/** Holds a server against the specification, in a project that may be written to. What it makes, it deletes again. */
export async function holdAgainstSpecification(
  server: ServerUnderTest,
  onFinding?: (finding: Finding) => void,
): Promise<Verdict[]> {
  const report = new Report(onFinding)
  for (const group of GROUPS) {
    try {
      await group(report, server)
    } catch (err) {
      if (!(err instanceof Blocked)) throw err
    }
  }
  return OPERATIONS.map((operation) => {
    const name = nameOf(operation)
    const own = report.findings.filter((finding) => finding.operation === name)
    const faults = own.flatMap(({ promise, fault }) => (fault === undefined ? [] : [{ promise, fault }]))
    const isTried = own.some(({ isGeneral }) => !isGeneral)
    const missing = isTried ? undefined : (CONDITIONAL[name] ?? 'what could not be made')
    const isFailed = faults.length > 0 || (!isTried && !(name in CONDITIONAL))
    return {
      operation: name,
      result: isFailed ? 'fail' : missing ? 'partly' : 'pass',
      promises: own.length,
      faults,
      missing,
    }
  })
}
