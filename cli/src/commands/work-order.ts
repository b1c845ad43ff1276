import type { KeyClient, WorkOrder } from '@slipway/sdk'
import { InvalidArgumentError } from 'commander'
import { Failure } from '../failure.ts'

export const STATUSES = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed'] as const
export const PRIORITIES = ['no_priority', 'low', 'medium', 'high', 'urgent'] as const
export const TYPES = ['none', 'build', 'fix', 'design', 'research', 'test', 'documentation', 'chore'] as const
export type Status = (typeof STATUSES)[number]
export type Priority = (typeof PRIORITIES)[number]
export type Type = (typeof TYPES)[number]

export const COLUMNS = ['work_order_number', 'status', 'priority', 'assignee.name', 'title']

export const whole = (text: string) => wholeFrom(1, text)
export const wholeOrNone = (text: string) => wholeFrom(0, text)

function wholeFrom(least: number, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(number) || number < least)
    throw new InvalidArgumentError(`It must be a whole number from ${least}.`)
  return number
}

export function numberOf(text: string): number {
  const number = Number(text.replace(/^WO-/i, ''))
  if (!Number.isSafeInteger(number) || number < 1)
    throw new Failure(`"${text}" is not the number of a work order, such as 12 or WO-12.`, 'wrong usage')
  return number
}

export const findWorkOrder = async (client: KeyClient, number: string): Promise<WorkOrder> =>
  (await client.workOrders.getByNumber(numberOf(number))).data
