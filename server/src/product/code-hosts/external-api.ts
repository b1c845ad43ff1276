import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import {
  Data,
  Empty,
  FilledText,
  Items,
  Kind,
  Nullable,
  named,
  OneOf,
  Text,
  Time,
  Uuid,
} from '../../kernel/http/schema.ts'
import * as actions from './actions.ts'
import {
  CODE_HOST_KINDS,
  CODE_KINDS,
  type CodeHost,
  PULL_REQUEST_STATES,
  presentCode,
  presentCodeHost,
} from './code-host.ts'

const tags = ['Code hosts']

const CodeHostShape = named(
  'CodeHost',
  Type.Object({
    object: Kind('code_host'),
    id: Uuid,
    kind: OneOf(CODE_HOST_KINDS),
    name: Type.String({ examples: ['shop/checkout'] }),
    url: Type.String({
      description: 'What the host is told to call.',
      examples: ['https://slipway.example.org/v2/hooks/github/019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'],
    }),
    review_opened: Type.Boolean({ examples: [false] }),
    complete_merged: Type.Boolean({ examples: [false] }),
    created_at: Time,
    last_received_at: Nullable(Time),
  }),
)

const CodeShape = named(
  'WorkOrderCode',
  Type.Object({
    object: Kind('work_order_code'),
    kind: OneOf(CODE_KINDS),
    repository: Type.String({ examples: ['shop/checkout'] }),
    reference: Type.String({ description: 'The hash of a commit, the number of a pull request.', examples: ['38'] }),
    title: Type.String({ examples: ['Round the total once'] }),
    url: Type.String({
      description: 'Empty if the host gave none.',
      examples: ['https://github.com/shop/checkout/pull/38'],
    }),
    author: Nullable(Type.String({ examples: ['ada'] })),
    state: Nullable(OneOf(PULL_REQUEST_STATES), { description: 'Null for a commit.' }),
    changed_at: Time,
  }),
)

const SecretData = Data(
  Type.Object({
    code_host: CodeHostShape,
    secret: Type.String({ description: 'What the host signs with. Shown once.', examples: ['whsec_…'] }),
  }),
)

const name = FilledText(200, { examples: ['shop/checkout'] })
const review = Type.Boolean({
  examples: [false],
  description: 'An opened pull request moves the work orders that it names to `in_review`.',
})
const complete = Type.Boolean({
  examples: [false],
  description: 'A pull request that is merged into the main branch completes the work orders that it names.',
})
const secret = Type.Optional(
  Text(500, {
    minLength: 16,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'One that the host has made, such as the signing token of GitLab.',
    examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
  }),
)
const HostParams = Type.Object({ code_host_id: Uuid })

const presentSecret = ({ host, secret }: { host: CodeHost; secret: string }, baseUrl: string) => ({
  code_host: presentCodeHost(host, baseUrl),
  secret,
})

/** Additions to the specification: the connected code hosts, and their branches, commits and pull requests by work order. */
export function registerCodeHostRoutes(face: Face) {
  face.get(
    '/code_hosts',
    operation({
      id: 'listCodeHosts',
      summary: 'List code hosts',
      description: 'For admins.',
      tags,
      answer: Items(CodeHostShape),
      refuses: [403],
    }),
    async (req) => ({
      items: (await actions.listCodeHosts(req.ctx)).map((one) => presentCodeHost(one, req.ctx.baseUrl)),
    }),
  )

  face.post(
    '/code_hosts',
    operation({
      id: 'addCodeHost',
      summary: 'Listen to a repository on GitHub or GitLab',
      description:
        'For admins. Enter the `url` and the `secret` of the answer there as a webhook for pushes and pull requests. The answer is the only place where the secret appears.',
      tags,
      body: Type.Object({
        kind: OneOf(CODE_HOST_KINDS),
        name,
        secret,
        review_opened: Type.Optional(review),
        complete_merged: Type.Optional(complete),
      }),
      answers: { 201: SecretData },
      showsSecret: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const { kind, name, secret, review_opened: reviewsOpened, complete_merged: completesMerged } = req.body
      const wanted = { kind, name: name.trim(), secret, reviewsOpened, completesMerged }
      const added = await actions.addCodeHost(req.ctx, wanted)
      reply.code(201)
      return { data: presentSecret(added, req.ctx.baseUrl) }
    },
  )

  face.patch(
    '/code_hosts/:code_host_id',
    operation({
      id: 'updateCodeHost',
      summary: 'Change a code host',
      tags,
      params: HostParams,
      body: Type.Object({
        name: Type.Optional(name),
        secret,
        review_opened: Type.Optional(review),
        complete_merged: Type.Optional(complete),
      }),
      answer: Data(CodeHostShape),
    }),
    async (req) => {
      const { name, secret, review_opened: reviewsOpened, complete_merged: completesMerged } = req.body
      const change = { name: name?.trim(), secret, reviewsOpened, completesMerged }
      const host = await actions.changeCodeHost(req.ctx, req.params.code_host_id, change)
      return { data: presentCodeHost(host, req.ctx.baseUrl) }
    },
  )

  face.post(
    '/code_hosts/:code_host_id/rotate_secret',
    operation({
      id: 'rotateCodeHostSecret',
      summary: 'Replace the secret of a code host',
      description: 'The old one stops at once. The answer is the only place where the new one appears.',
      tags,
      params: HostParams,
      answer: SecretData,
      showsSecret: true,
      optionalBody: true,
    }),
    async (req) => ({
      data: presentSecret(await actions.rotateSecret(req.ctx, req.params.code_host_id), req.ctx.baseUrl),
    }),
  )

  face.delete(
    '/code_hosts/:code_host_id',
    operation({
      id: 'deleteCodeHost',
      summary: 'Stop listening to a code host',
      description: 'Work orders keep the branches, commits and pull requests that it sent.',
      tags,
      params: HostParams,
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await actions.removeCodeHost(req.ctx, req.params.code_host_id)
      return reply.code(204).send(null)
    },
  )

  face.get(
    '/work_orders/:work_order_id/code',
    operation({
      id: 'listWorkOrderCode',
      summary: 'List the commits and pull requests that name a work order',
      description: 'Pull requests first, each kind newest first.',
      tags,
      params: Type.Object({ work_order_id: Uuid }),
      answer: Items(CodeShape),
    }),
    async (req) => ({ items: (await actions.listCode(req.ctx, req.params.work_order_id)).map(presentCode) }),
  )
}
