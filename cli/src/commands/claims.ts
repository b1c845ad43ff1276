import type { WorkOrder, WorkOrderClaim } from '@slipway/sdk'
import { type Command, Option } from 'commander'
import { Failure } from '../failure.ts'
import { print, printJson, show } from '../output.ts'
import { open } from '../session.ts'
import { COLUMNS, findWorkOrder, numberOf, STATUSES, whole } from './work-order.ts'

/** Leases on work orders, for workers that share a list. */
export function addClaims(wo: Command): void {
  wo.command('next')
    .description('Show the most urgent work order that is ready, and with --claim take it')
    .option('--claim', 'take it, so that nobody else does it')
    .option('--holder <name>', 'how others see who has it')
    .option('--lease <seconds>', 'how long it is yours without a renewal', whole, 900)
    .addHelpText('after', '\nExample:\n  $ slipway wo next --claim --holder agent-7 --json')
    .action(async ({ claim, holder, lease }, command: Command) => {
      const { client, asJson } = await open(command)
      if (!claim) {
        const { items: ready } = await client.workOrders.list({ status: ['ready'], sort: 'priority', page_size: 1 })
        if (!ready[0]) throw new Failure('No work order is ready.', 'not found')
        return show(ready, COLUMNS, asJson)
      }
      const { data } = await client.workOrders.claimNext({ holder, lease_seconds: lease })
      if (!data) throw new Failure('No work order is ready.', 'not found')
      showClaim(data, asJson)
    })

  wo.command('claim <number>')
    .description('Take a work order for a while')
    .option('--holder <name>', 'how others see who has it')
    .option('--lease <seconds>', 'how long it is yours without a renewal', whole, 900)
    .action(async (number: string, { holder, lease }, command: Command) => {
      const { client, asJson } = await open(command)
      const { id } = await findWorkOrder(client, number)
      showClaim((await client.workOrders.claim(id, { holder, lease_seconds: lease })).data, asJson)
    })

  wo.command('renew <number>')
    .description('Keep a claim for longer')
    .requiredOption('--token <token>', 'the fencing token of the claim', whole)
    .option('--lease <seconds>', 'from now on', whole, 900)
    .action(async (number: string, { token, lease }, command: Command) => {
      const { client, asJson } = await open(command)
      const { id } = await findWorkOrder(client, number)
      const { data } = await client.workOrders.renewClaim(id, { fencing_token: token, lease_seconds: lease })
      if (asJson) printJson(data)
      else print(`WO-${numberOf(number)} is yours until ${data.expires_at}.`)
    })

  wo.command('release <number>')
    .description('End a claim: hand the work in, or give it back')
    .requiredOption('--token <token>', 'the fencing token of the claim', whole)
    .addOption(new Option('--status <status>', 'what the work order becomes').choices(STATUSES).default('ready'))
    .action(async (number: string, { token, status }, command: Command) => {
      const { client, asJson } = await open(command)
      const { id } = await findWorkOrder(client, number)
      const { data } = await client.workOrders.releaseClaim(id, { fencing_token: token, status })
      if (asJson) printJson(data)
      else print(`WO-${numberOf(number)} is ${data.status}.`)
    })
}

function showClaim(claimed: { claim: WorkOrderClaim; work_order: WorkOrder }, asJson: boolean) {
  if (asJson) return printJson(claimed)
  const { claim, work_order } = claimed
  print(`WO-${work_order.work_order_number} ${work_order.title}`)
  print(`It is yours until ${claim.expires_at}. Fencing token: ${claim.fencing_token}`)
  print(
    `Hand it in: slipway wo release ${work_order.work_order_number} --token ${claim.fencing_token} --status in_review`,
  )
}
