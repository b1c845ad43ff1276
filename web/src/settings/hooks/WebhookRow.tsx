import { cx } from '../../lib/cx.ts'
import { fullTimeOf } from '../../lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import {
  IconActivity,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import css from '../Settings.module.css'
import { describeKinds, type Webhook } from './api.ts'
import own from './Hooks.module.css'

export type WebhookAct = 'log' | 'test' | 'change' | 'rotate' | 'switch' | 'delete'

export function WebhookRow({ webhook, onAct }: { webhook: Webhook; onAct(act: WebhookAct): void }) {
  const { name, url, enabled } = webhook
  const sign = { size: 16, stroke: 1.75 }
  return (
    <tr>
      <td>
        <div className={own.names}>
          <span className={own.name}>{name}</span>
          <span className={own.url}>{url}</span>
          <span className={own.narrow}>
            <State webhook={webhook} />
          </span>
        </div>
      </td>
      <td className={css.wide}>{describeKinds(webhook.event_kinds)}</td>
      <td className={css.wide}>
        <State webhook={webhook} />
      </td>
      <td className={css.end}>
        <span className={css.actions}>
          <Button icon={<IconActivity size={15} stroke={1.75} />} onClick={() => onAct('log')}>
            Deliveries
          </Button>
          <MoreMenu
            label={`More for ${name}`}
            options={[
              ...(enabled ? [{ value: 'test', label: 'Send a test event', icon: <IconSend {...sign} /> }] : []),
              { value: 'change', label: 'Change…', icon: <IconPencil {...sign} /> },
              { value: 'rotate', label: 'Rotate the secret…', icon: <IconRefresh {...sign} /> },
              {
                value: 'switch',
                label: enabled ? 'Disable' : 'Enable',
                icon: enabled ? <IconPlayerPause {...sign} /> : <IconPlayerPlay {...sign} />,
              },
              { value: 'delete', label: 'Delete…', icon: <IconTrash {...sign} />, divided: true },
            ]}
            onPick={(act) => {
              onAct(act as WebhookAct)
            }}
          />
        </span>
      </td>
    </tr>
  )
}

function State({ webhook: { enabled, disabled_reason, failing_since } }: { webhook: Webhook }) {
  if (!enabled)
    return (
      <span className={cx(own.badge, disabled_reason ? own.bad : own.off)} title={disabled_reason ?? undefined}>
        {disabled_reason ? 'Disabled by Slipway' : 'Disabled'}
      </span>
    )
  if (failing_since)
    return (
      <span className={cx(own.badge, own.waits)} title={`Since ${fullTimeOf(failing_since)}`}>
        Failing
      </span>
    )
  return <span className={cx(own.badge, own.good)}>Enabled</span>
}
