import { type Command, Option } from 'commander'
import { Failure } from '../failure.ts'
import { print, printJson, show, tell } from '../output.ts'
import { open, watching } from '../session.ts'

/** For admins of the project. */
export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('URLs that receive the events of the project')

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

  for (const [verb, enabled] of [['enable', true] as const, ['disable', false] as const])
    webhooks
      .command(`${verb} <webhook-id>`)
      .description(enabled ? 'Send events to a webhook again' : 'Send nothing to a webhook for now')
      .action(async (id: string, _options, command: Command) => {
        const { client, asJson } = await open(command)
        const { data } = await client.webhooks.update(id, { enabled })
        tell(asJson, data, `"${data.name}" is ${verb}d.`)
      })

  webhooks
    .command('test <webhook-id>')
    .description('Send a ping to a webhook')
    .action(async (id: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      await client.webhooks.test(id)
      tell(asJson, { id, sent: 'webhook.ping' }, 'A ping is on its way. See "slipway webhooks deliveries".')
    })

  webhooks
    .command('rotate <webhook-id>')
    .description('Make a new secret, which is shown only now. The old one signs too, for 24 hours')
    .action(async (id: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.webhooks.rotateSecret(id)
      tell(asJson, data, `The new secret, which cannot be shown again:\n${data.secret}`)
    })

  webhooks
    .command('delete <webhook-id>')
    .description('Delete a webhook with its deliveries')
    .option('--yes', 'do not ask')
    .action(async (id: string, { yes }: { yes?: boolean }, command: Command) => {
      if (!yes) throw new Failure('This cannot be undone. Repeat it with --yes.', 'wrong usage')
      const { client, asJson } = await open(command)
      await client.webhooks.delete(id)
      tell(asJson, { id, deleted: true }, 'Deleted.')
    })

  webhooks
    .command('deliveries <webhook-id>')
    .description('List what was sent to a webhook, newest first')
    .addOption(new Option('--status <status>').choices(['pending', 'succeeded', 'failed']))
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
