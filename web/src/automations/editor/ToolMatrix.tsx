import { DOMAIN_NAMES, DOMAINS, type Domain, type Kit, overridesOf, RIGHTS, type Right } from '../words.ts'
import type { Values } from './draft.ts'
import css from './Editor.module.css'

const NAMES: Record<Right, string> = { view: 'View', create: 'Create', edit: 'Edit', delete: 'Delete' }

interface Props {
  kit: Kit
  onChange(overrides: Values['tool_kit']['permission_overrides']): void
}

/** What the agent may do with each kind of thing. Without View there is nothing else. */
export function ToolMatrix({ kit, onChange }: Props) {
  const set = (domain: Domain, right: Right, isOn: boolean) => {
    const rights =
      right === 'view' && !isOn
        ? { view: false, create: false, edit: false, delete: false }
        : { ...kit[domain], [right]: isOn }
    onChange(overridesOf({ ...kit, [domain]: rights }))
  }
  return (
    <table className={css.tools}>
      <thead>
        <tr>
          <th>Domain</th>
          {RIGHTS.map((right) => (
            <th key={right}>{NAMES[right]}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {DOMAINS.map((domain) => (
          <tr key={domain}>
            <th scope="row">{DOMAIN_NAMES[domain]}</th>
            {RIGHTS.map((right) => (
              <td key={right}>
                <input
                  type="checkbox"
                  aria-label={`${NAMES[right]} ${DOMAIN_NAMES[domain]}`}
                  checked={kit[domain][right]}
                  disabled={right !== 'view' && !kit[domain].view}
                  onChange={(event) => set(domain, right, event.target.checked)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
