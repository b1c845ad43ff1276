import type { RequirementState } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'
import { undoUnlessChanged } from '../../lib/undo-unless-changed.ts'

export type Values = Partial<Pick<RequirementState, 'status' | 'owner'>>

/** Below the key of the review, so it is loaded again with whatever happens to the document. */
export const stateQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'document-review', id, 'state'],
    queryFn: async ({ signal }) => (await api.requirements(callOf(projectId)).getState(id, { signal })).data,
  })

const show = (projectId: string, id: string, values: Partial<RequirementState>) =>
  queryClient.setQueryData(stateQuery(projectId, id).queryKey, (state) => state && { ...state, ...values })

interface Change {
  id: string
  /** One of them. */
  values: Values
  before: Values
  text: string
  isUndo?: boolean
}

const partOf = ({ values }: Change) => ('status' in values ? 'status' : 'owner')

/** Sets the status or the owner of a requirement. */
export const changeState = defineWrite<Change, RequirementState>({
  name: 'documents.state',
  waits: true,
  about: (change) => ({ text: change.text, subjects: [change.id], part: partOf(change) }),
  async send({ id, values: { status, owner } }, { projectId }) {
    const patch = { ...(status && { status }), ...(owner !== undefined && { owner_id: owner?.id ?? null }) }
    return (await api.requirements(callOf(projectId)).changeState(id, patch)).data
  },
  show: ({ id, values }, projectId) => show(projectId, id, values),
  hide({ id, before }, projectId) {
    show(projectId, id, before)
    void queryClient.invalidateQueries({ queryKey: stateQuery(projectId, id).queryKey })
  },
  saved(state, change, { projectId }) {
    show(projectId, change.id, state)
    const undo = () => void undoChange(projectId, change)
    showToast(change.isUndo ? { text: `The ${partOf(change)} was restored` } : { text: change.text, undo })
  },
  failure: (change) => `The ${partOf(change)} was not changed`,
})

const undoChange = (projectId: string, change: Change) => {
  const { id, values, before } = change
  const part = partOf(change)
  const field = part === 'status' ? 'status' : 'owner_id'
  return undoUnlessChanged({
    projectId,
    what: `the ${part}`,
    async isAsLeft() {
      const now = await queryClient.fetchQuery({ ...stateQuery(projectId, id), staleTime: 0 })
      return part === 'status' ? now.status === values.status : now.owner?.id === values.owner?.id
    },
    isSuch: ({ subject_id, kind, payload }) =>
      subject_id === id && kind.endsWith('.state_changed') && (payload.fields as string[]).includes(field),
    run: () => void changeState(projectId, { id, values: before, before: values, text: change.text, isUndo: true }),
  })
}

interface Approval {
  id: string
  approval: RequirementState['approvals'][number]
}

const showApprovals = (
  projectId: string,
  id: string,
  next: (all: RequirementState['approvals']) => RequirementState['approvals'],
) =>
  queryClient.setQueryData(
    stateQuery(projectId, id).queryKey,
    (state) => state && { ...state, approvals: next(state.approvals) },
  )

const add = ({ id, approval }: Approval, projectId: string) =>
  showApprovals(projectId, id, (all) => (all.some((one) => one.id === approval.id) ? all : [approval, ...all]))

const drop = ({ id, approval }: Approval, projectId: string) =>
  showApprovals(projectId, id, (all) => all.filter((one) => one.id !== approval.id))

/** Whoever approves has read the current version, so it is sent now or not at all. */
export const approveVersion = defineWrite<Approval, RequirementState>({
  name: 'documents.approve',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id, approval: { version_id } }, { projectId, key }) =>
    (await api.requirements(callOf(projectId)).approve(id, { version_id }, { idempotencyKey: key })).data,
  show: add,
  hide: drop,
  saved(state, { id, approval: { version_id, user_id } }, { projectId }) {
    show(projectId, id, state)
    const own = state.approvals.find((one) => one.version_id === version_id && one.user_id === user_id)
    const undo = () => void (own && withdrawApproval(projectId, { id, approval: own }))
    showToast({ text: 'Version approved', undo })
  },
  failure: () => 'The version was not approved',
})

export const withdrawApproval = defineWrite<Approval, RequirementState>({
  name: 'documents.withdraw-approval',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id, approval }, { projectId }) =>
    (await api.requirements(callOf(projectId)).withdrawApproval(id, approval.id)).data,
  show: drop,
  hide: add,
  saved: (state, { id }, { projectId }) => void show(projectId, id, state),
  failure: () => 'The approval was not withdrawn',
})
