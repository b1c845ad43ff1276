import type { Command } from 'commander'
import { print, printJson, show } from '../output.ts'
import { open, watching } from '../session.ts'

/** For admins of the project. */
export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('URLs that are told of what happens in the project')

  webhooks
    .command('list', { isDefault: true })
    .description('List webhooks')
    .action(async (_options, command: Command) => {
      const { client, asJson } = await open(command)
      const { items } = await client.webhooks.list()
      show(items, ['name', 'url', 'event_kinds', 'enabled', 'disabled_reason', 'id'], asJson)
    })

  webhooks
    .command('create <url>')
    .description('Have events sent to a URL. Prints the secret, which is shown only now')
    .requiredOption('--name <name>')
    .option('--kinds <kinds...>', 'only these, such as work_order.created or work_order.*')
    .action(async (url: string, { name, kinds }, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.webhooks.add({ name, url, event_kinds: kinds ?? null })
      if (asJson) return printJson(data)
      print(`Made the webhook ${data.webhook.id}. Its secret, which cannot be shown again:\n${data.secret}`)
    })

  webhooks
    .command('deliveries <webhook-id>')
    .description('List what was sent to a webhook, newest first')
    .option('--status <status>', 'pending, succeeded or failed')
    .option('--watch', 'show them again when they change')
    .action(async (id: string, { status, watch }, command: Command) => {
      const { client, asJson } = await open(command)
      await watching(watch, async () => {
        const { items } = await client.webhooks.listDeliveries(id, { status })
        const columns = ['id', 'event_kind', 'status', 'attempts', 'response_status', 'next_attempt_at', 'error']
        return () => show(items, columns, asJson)
      })
    })

  webhooks
    .command('redeliver <webhook-id> <delivery-id>')
    .description('Send an event to a webhook again')
    .action(async (id: string, deliveryId: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.webhooks.redeliver(id, deliveryId)
      if (asJson) printJson(data)
      else print(`${data.event_kind} is sent again.`)
    })
}
