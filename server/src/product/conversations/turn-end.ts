import { ModelFailure } from '../../kernel/model/index.ts'
import { IntegrationFailure } from '../integrations/index.ts'

/** The reason why a turn ended before the agent finished. */
export class TurnEnd extends Error {
  override readonly name = 'TurnEnd'
  readonly status: 'failed' | 'cancelled'
  /** The same work may well succeed later. */
  readonly isTransient: boolean
  /** It has not ended: another server takes it up. */
  readonly isHandedOver: boolean

  constructor(status: 'failed' | 'cancelled', reason: string, { isTransient = false, isHandedOver = false } = {}) {
    super(reason)
    this.status = status
    this.isTransient = isTransient
    this.isHandedOver = isHandedOver
  }
}

export const failed = (reason: string) => new TurnEnd('failed', reason)
export const stopped = () => new TurnEnd('cancelled', 'It was stopped.')
export const handedOver = () => new TurnEnd('failed', 'The server was stopped in the middle.', { isHandedOver: true })
export const isHandedOver = ({ reason }: AbortSignal) => reason instanceof TurnEnd && reason.isHandedOver
export const ownerLeft = () => failed('Its owner is no longer a member of the project.')
export const lost = () => failed('The turn was ended by another node, because this one was silent for too long.')

/** Describes a failure for a person. Logs a defect without describing it. */
export function toTurnEnd(err: unknown, log: (err: unknown) => void): TurnEnd {
  if (err instanceof TurnEnd) return err
  if (err instanceof ModelFailure) return new TurnEnd('failed', err.message, { isTransient: err.isTransient })
  if (err instanceof IntegrationFailure) return failed(err.message)
  log(err)
  return failed('Something went wrong on the server; it was logged.')
}
